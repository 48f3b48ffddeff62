//! Who calls whom in a linked image, and how much stack that can take.
//!
//! Everything is read off the machine code: which bytes are instructions (the ABI's mapping symbols `$t` and `$d`), where
//! the branches go, and what each function takes off the stack pointer. So it holds for the image that is flashed, the
//! parts written in assembly and those of the precompiled `core` included, and needs no particular compiler.
//!
//! Calls through pointers cannot be read off the code. A function that makes one is joined with the functions whose
//! address is taken somewhere in the image and that a rule in [`POINTERS`] allows; one that no rule covers is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::elf::EF_ARM_ABI_FLOAT_HARD;
use object::{FileFlags, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use rustc_demangle::demangle;

/// A function of the image.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, without the compiler's hash.
    pub name: String,
    /// Bytes of code.
    pub size: u32,
    /// Bytes of stack that it takes for itself.
    pub frame: u32,
    /// What it calls, one entry a call.
    pub calls: Vec<usize>,
    /// How many of its calls go through a pointer.
    pub indirect: usize,
    /// Whether its address is taken somewhere.
    pub taken: bool,
}

/// The call graph of an image.
#[derive(Debug)]
pub struct Graph {
    /// All functions, by address.
    pub functions: Vec<Function>,
    /// The handlers of exceptions and interrupts, `Reset` apart.
    handlers: Vec<usize>,
    reset: usize,
    /// Bytes that the processor pushes for an exception.
    exception: u32,
}

/// Which calls through a pointer can reach which functions: parts of the caller's and of the callee's name. A callee
/// also has to have its address taken. Rules are tried in order, the first that fits the caller counts.
const POINTERS: &[(&str, &[&str])] = &[
    // Some of the Pico's helpers for memory, bits and numbers are in its ROM, not in the image.
    ("__aeabi_", &[]),
    ("di2", &[]),
    ("si2", &[]),
    // The log's encoder has one place to write to.
    ("_defmt", &["defmt_rtt"]),
    // Formatting: a value's own function, and the place that the text goes to.
    ("fmt", &["fmt", "write_str", "write_char", "write_fmt"]),
    // The executor calls its tasks, tasks and interrupts call wakers.
    ("TaskStorage", &["waker", "Waker", "closure", "fmt", "write_str", "begin_millisecond"]),
    ("executor", &["poll", "waker"]),
    ("waker", &["pend", "waker", "wake"]),
    ("time", &["waker", "wake"]),
    ("embassy", &["waker", "wake"]),
    ("defmt", &["defmt", "fmt"]),
    // The console describes a board only when it is asked to.
    ("console", &["fmt", "closure", "write_str", "write_char"]),
    ("session", &["fmt", "closure", "write_str", "write_char"]),
    ("rival_firmware", &["fmt", "waker", "closure", "write_str", "write_char"]),
    ("panic", &["fmt", "write_str"]),
    ("Reset", &[]),
];

/// What handlers of interrupts call through pointers.
const HANDLERS_CALL: &[&str] = &["wake"];

/// What the processor pushes when an exception or interrupt comes: eight registers, and a word to align.
const EXCEPTION: u32 = (8 + 1) * 4;
/// With a floating-point unit, these as well.
const FLOATS: u32 = 18 * 4;

impl Graph {
    /// Reads the image in an ELF file.
    pub fn read(elf: &Path) -> Result<Self> {
        let bytes = fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
        let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", elf.display()))?;
        Self::of(&file)
    }

    fn of(file: &object::File<'_>) -> Result<Self> {
        let memory = Memory::of(file)?;
        let ranges = functions(file);
        ensure!(!ranges.is_empty(), "the image has no symbols");
        let starts: BTreeMap<u32, usize> = ranges.iter().enumerate().map(|(at, range)| (range.0, at)).collect();
        let at = |address: u32| {
            let (start, index) = starts.range(..=address).next_back()?;
            let range = &ranges[*index];
            (address < start + range.1.max(2)).then_some(*index)
        };
        let mut functions = Vec::new();
        let mut taken = BTreeSet::new();
        for (address, size, name) in &ranges {
            let code = decode(&memory, *address, *size).with_context(|| name.clone())?;
            let calls = code.targets.iter().filter_map(|&target| at(target)).collect();
            taken.extend(
                code.values.iter().filter(|&&value| value & 1 == 1).filter_map(|value| starts.get(&(value - 1))),
            );
            functions.push(Function {
                name: name.clone(),
                size: *size,
                frame: code.frame,
                calls,
                indirect: code.indirect,
                taken: false,
            });
        }
        // Addresses in tables and variables. The vector table holds the handlers, which nobody calls.
        for word in memory.words() {
            if word & 1 == 1
                && let Some(&index) = starts.get(&(word - 1))
            {
                taken.insert(index);
            }
        }
        let mut handlers = BTreeSet::new();
        let mut reset = None;
        for (number, word) in memory.vectors().enumerate().skip(1) {
            let Some(&index) = starts.get(&(word.wrapping_sub(1))) else { continue };
            if number == 1 {
                reset = Some(index);
            } else {
                handlers.insert(index);
            }
        }
        for index in taken {
            functions[index].taken = true;
        }
        let hard_float =
            matches!(file.flags(), FileFlags::Elf { e_flags, .. } if e_flags.0 & EF_ARM_ABI_FLOAT_HARD != 0);
        let exception = EXCEPTION + if hard_float { FLOATS } else { 0 };
        let reset = reset.context("the vector table has no entry for the reset")?;
        Ok(Self { functions, handlers: handlers.into_iter().collect(), reset, exception })
    }

    /// What a function can call, calls through pointers included and ways into a panic left out: it ends the run.
    fn callees(&self, index: usize) -> Result<BTreeSet<usize>> {
        let function = &self.functions[index];
        let mut callees = self.direct(index);
        if function.indirect > 0 {
            let rule = POINTERS.iter().find(|(caller, _)| function.name.contains(caller)).map(|(_, allowed)| *allowed);
            let handler = self.handlers.contains(&index).then_some(HANDLERS_CALL);
            let Some(allowed) = handler.or(rule) else {
                bail!("{} calls through a pointer, and no rule says what", function.name);
            };
            let fits = |name: &str| allowed.iter().any(|part| name.contains(part));
            let reached = self.functions.iter().enumerate().filter(|(_, other)| other.taken && fits(&other.name));
            let reached: Vec<usize> = reached.map(|(at, _)| at).collect();
            ensure!(
                allowed.is_empty() || !reached.is_empty(),
                "{} calls through a pointer, but nothing fits its rule",
                function.name
            );
            callees.extend(reached);
        }
        Ok(callees)
    }

    fn direct(&self, index: usize) -> BTreeSet<usize> {
        let returns = |callee: &usize| !ends_the_run(&self.functions[*callee].name);
        self.functions[index].calls.iter().copied().filter(returns).collect()
    }

    /// The cycles of direct calls: groups of functions that can come to call themselves again.
    pub fn cycles(&self) -> Vec<Vec<&str>> {
        let recursive = |group: &Vec<usize>| group.len() > 1 || self.direct(group[0]).contains(&group[0]);
        let groups = groups(self.functions.len(), |index| self.direct(index)).into_iter().filter(recursive);
        groups.map(|group| group.iter().map(|&at| self.functions[at].name.as_str()).collect()).collect()
    }

    /// Functions that belong to an allocator.
    pub fn allocators(&self) -> Vec<&str> {
        let is = |name: &str| {
            ["__rust_alloc", "__rust_realloc", "__rust_dealloc", "__rg_", "__rdl_", "alloc::", "<alloc::"]
                .iter()
                .any(|start| name.starts_with(start))
                || ["malloc", "free", "realloc", "calloc"].contains(&name)
        };
        self.functions.iter().map(|function| function.name.as_str()).filter(|name| is(name)).collect()
    }

    /// The calls that end in a panic: who makes how many of them.
    pub fn panics(&self) -> BTreeMap<&str, usize> {
        let mut panics = BTreeMap::new();
        for function in self.functions.iter().filter(|function| !ends_in_panic(&function.name)) {
            let count = function.calls.iter().filter(|&&callee| ends_in_panic(&self.functions[callee].name)).count();
            if count > 0 {
                *panics.entry(function.name.as_str()).or_default() += count;
            }
        }
        panics
    }

    /// Holds the image against what the firmware promises: no recursion, no allocation, and no more ways into a panic than
    /// are allowed.
    pub fn keeps_promises(&self, allowed_panics: usize) -> Result<()> {
        let cycles = self.cycles();
        if !cycles.is_empty() {
            bail!("functions that can come to call themselves: {cycles:?}");
        }
        let allocators = self.allocators();
        if !allocators.is_empty() {
            bail!("an allocator is linked in: {allocators:?}");
        }
        let panics = self.panics();
        let count: usize = panics.values().sum();
        if count > allowed_panics {
            let sites: Vec<String> = panics.iter().map(|(name, count)| format!("{count} {name}")).collect();
            bail!("{count} calls end in a panic, {allowed_panics} are allowed:\n  {}", sites.join("\n  "));
        }
        Ok(())
    }

    /// The most stack that the image can need, and the way there: the deepest chain of calls from the reset, the deepest
    /// from each level of interrupt on top of it.
    pub fn deepest(&self) -> Result<Deepest> {
        let edges: Vec<BTreeSet<usize>> =
            (0..self.functions.len()).map(|index| self.callees(index)).collect::<Result<_>>()?;
        // Calls through pointers can make cycles that no run has: formatting a value formats its parts. Such a group
        // counts once, with all of its frames.
        let order = groups(self.functions.len(), |index| edges[index].clone());
        let mut group_of = vec![0; self.functions.len()];
        for (number, group) in order.iter().enumerate() {
            for &index in group {
                group_of[index] = number;
            }
        }
        // The groups come callees first.
        let mut depth: Vec<(u32, Option<usize>)> = Vec::with_capacity(order.len());
        for (number, group) in order.iter().enumerate() {
            let own: u32 = group.iter().map(|&index| self.functions[index].frame).sum();
            let below = group
                .iter()
                .flat_map(|&index| &edges[index])
                .map(|&callee| group_of[callee])
                .filter(|&other| other != number)
                .max_by_key(|&other| depth[other].0);
            depth.push((own + below.map_or(0, |other| depth[other].0), below));
        }
        let chain = |start: usize| {
            let mut chain = Vec::new();
            let mut at = Some(group_of[start]);
            while let Some(number) = at {
                chain.extend(order[number].iter().map(|&index| {
                    let function = &self.functions[index];
                    (function.name.clone(), function.frame)
                }));
                at = depth[number].1;
            }
            chain
        };
        let main = depth[group_of[self.reset]].0;
        let handler = self.handlers.iter().copied().max_by_key(|&index| depth[group_of[index]].0);
        // Interrupts of one level do not interrupt each other; a fault can come on top of one.
        let interrupt = handler.map_or(0, |index| depth[group_of[index]].0 + self.exception);
        Ok(Deepest {
            bytes: main + interrupt + self.exception,
            main: chain(self.reset),
            interrupt: handler.map(chain).unwrap_or_default(),
        })
    }
}

/// The bound on the stack, and where it comes from.
#[derive(Clone, Debug)]
pub struct Deepest {
    /// Bytes of stack.
    pub bytes: u32,
    /// The deepest chain of calls outside interrupts, with each function's own bytes.
    pub main: Vec<(String, u32)>,
    /// The deepest chain inside one.
    pub interrupt: Vec<(String, u32)>,
}

/// Whether a function ends the run: the board starts again from there, with an empty stack.
fn ends_the_run(name: &str) -> bool {
    ends_in_panic(name) || name == "rival_firmware::fault::restart"
}

/// Whether a function is one of the standard library's ways into a panic.
fn ends_in_panic(name: &str) -> bool {
    name.starts_with("core::panicking::")
        || name.starts_with("core::slice::index::slice_") && name.ends_with("_fail")
        || name.starts_with("core::str::slice_error_fail")
        || name.ends_with("::unwrap_failed")
        || name.ends_with("::expect_failed")
        || name.ends_with("panic_already_borrowed")
        || name.ends_with("panic_already_mutably_borrowed")
        || name.ends_with("::len_mismatch_fail")
        || name.ends_with("::do_panic")
        || name.ends_with("::runtime")
}

/// Strongly connected groups, callees before callers (Tarjan's algorithm, without recursion: it would be odd here).
fn groups(count: usize, edges: impl Fn(usize) -> BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut number = vec![usize::MAX; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if number[root] != usize::MAX {
            continue;
        }
        let mut work: Vec<(usize, Vec<usize>)> = vec![(root, edges(root).into_iter().collect())];
        number[root] = next;
        low[root] = next;
        next += 1;
        stack.push(root);
        on_stack[root] = true;
        while let Some((node, left)) = work.last_mut() {
            let node = *node;
            if let Some(callee) = left.pop() {
                if number[callee] == usize::MAX {
                    number[callee] = next;
                    low[callee] = next;
                    next += 1;
                    stack.push(callee);
                    on_stack[callee] = true;
                    work.push((callee, edges(callee).into_iter().collect()));
                } else if on_stack[callee] {
                    low[node] = low[node].min(number[callee]);
                }
                continue;
            }
            work.pop();
            if let Some((caller, _)) = work.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
            if low[node] == number[node] {
                let mut group = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    group.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(group);
            }
        }
    }
    found
}

/// Address, size and name of every function. Where two names share an address, the first counts.
fn functions(file: &object::File<'_>) -> Vec<(u32, u32, String)> {
    let mut found: BTreeMap<u32, (u32, String)> = BTreeMap::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        let Ok(name) = symbol.name() else { continue };
        if name.starts_with('$') || name.is_empty() || symbol.section_index().is_none() {
            continue;
        }
        let address = symbol.address() as u32 & !1;
        let entry = found.entry(address).or_insert((0, String::new()));
        if entry.0 < symbol.size() as u32 || entry.1.is_empty() {
            *entry = (symbol.size() as u32, format!("{:#}", demangle(name)));
        }
    }
    found.into_iter().map(|(address, (size, name))| (address, size, name)).collect()
}

/// The bytes of the image, and which of them are instructions.
struct Memory<'a> {
    sections: Vec<(u32, &'a [u8], bool)>,
    vectors: &'a [u8],
    /// Where stretches of data (`true`) and of code begin.
    kinds: BTreeMap<u32, bool>,
}

impl<'a> Memory<'a> {
    fn of(file: &object::File<'a>) -> Result<Self> {
        let mut sections = Vec::new();
        let mut vectors: &[u8] = &[];
        for section in file.sections() {
            let kind = section.kind();
            if !matches!(
                kind,
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString | SectionKind::Data
            ) {
                continue;
            }
            let bytes = section.data()?;
            if section.name() == Ok(".vector_table") {
                vectors = bytes;
            } else {
                sections.push((section.address() as u32, bytes, kind == SectionKind::Text));
            }
        }
        let mut kinds = BTreeMap::new();
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            match name.as_bytes() {
                [b'$', b't', ..] => kinds.insert(symbol.address() as u32, false),
                [b'$', b'd', ..] => kinds.insert(symbol.address() as u32, true),
                _ => None,
            };
        }
        Ok(Self { sections, vectors, kinds })
    }

    fn half(&self, address: u32) -> Option<u16> {
        let (start, bytes, _) =
            self.sections.iter().find(|(start, bytes, _)| (*start..start + bytes.len() as u32).contains(&address))?;
        let at = (address - start) as usize;
        Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
    }

    fn word(&self, address: u32) -> Option<u32> {
        Some(u32::from(self.half(address)?) | u32::from(self.half(address + 2)?) << 16)
    }

    fn is_data(&self, address: u32) -> bool {
        self.kinds.range(..=address).next_back().is_some_and(|(_, data)| *data)
    }

    /// Words outside the code: tables, variables' first values.
    fn words(&self) -> impl Iterator<Item = u32> {
        let data = self.sections.iter().filter(|(_, _, code)| !code);
        data.flat_map(|(_, bytes, _)| {
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        })
    }

    fn vectors(&self) -> impl Iterator<Item = u32> {
        self.vectors.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }
}

/// What is read off a function's instructions.
#[derive(Debug, Default)]
struct Code {
    frame: u32,
    targets: Vec<u32>,
    indirect: usize,
    /// Constants that it loads.
    values: Vec<u32>,
}

fn sign(value: u32, bits: u32) -> u32 {
    ((value << (32 - bits)).cast_signed() >> (32 - bits)).cast_unsigned()
}

/// The twelve bits of a Thumb-2 immediate, `i:imm3:imm8`.
fn imm12(first: u16, second: u16) -> u32 {
    u32::from(first >> 10 & 1) << 11 | u32::from(second >> 12 & 7) << 8 | u32::from(second & 0xFF)
}

/// A "modified immediate": a byte, repeated or rotated.
fn expand(imm12: u32) -> u32 {
    let byte = imm12 & 0xFF;
    match imm12 >> 8 {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte << 24 | byte << 16 | byte << 8 | byte,
        _ => (0x80 | byte & 0x7F).rotate_right(imm12 >> 7),
    }
}

fn decode(memory: &Memory<'_>, start: u32, size: u32) -> Result<Code> {
    let mut code = Code::default();
    let end = start + size;
    let inside = start..end;
    // Constants in registers, as far as they are needed: large frames and function pointers.
    let mut registers = [None; 16];
    let mut at = start;
    while at < end {
        if memory.is_data(at) {
            if at.is_multiple_of(4)
                && let Some(word) = memory.word(at)
            {
                code.values.push(word);
            }
            at += 2;
            continue;
        }
        let Some(first) = memory.half(at) else { bail!("code at {at:#010x} is not in the image") };
        let pc = at + 4;
        // On the smallest cores `bl` also serves as a jump that is too far for `b`: into the middle of the function.
        let mut branch = |target: u32, call: bool| {
            if call && target == start || !inside.contains(&target) {
                code.targets.push(target);
            }
        };
        if first >> 11 < 0b11101 {
            match first {
                // push
                _ if first & 0xFE00 == 0xB400 => code.frame += (first & 0x1FF).count_ones() * 4,
                // sub sp, #imm
                _ if first & 0xFF80 == 0xB080 => code.frame += u32::from(first & 0x7F) * 4,
                // ldr register, literal
                _ if first & 0xF800 == 0x4800 => {
                    let literal = (pc & !3) + u32::from(first & 0xFF) * 4;
                    registers[usize::from(first >> 8 & 7)] = memory.word(literal);
                }
                // add sp, register: a frame too large for a constant in the instruction
                _ if first & 0xFF87 == 0x4485 => match registers[usize::from(first >> 3 & 0xF)] {
                    Some(value) if value.cast_signed() < 0 => code.frame += value.wrapping_neg(),
                    Some(_) => {}
                    None => bail!("a frame of unknown size at {at:#010x}"),
                },
                // b<condition>
                _ if (0xD000..0xDE00).contains(&first) => {
                    branch(pc.wrapping_add(sign(u32::from(first & 0xFF) << 1, 9)), false);
                }
                // b
                _ if first & 0xF800 == 0xE000 => {
                    branch(pc.wrapping_add(sign(u32::from(first & 0x7FF) << 1, 12)), false);
                }
                // blx register, bx register other than the return address
                _ if first & 0xFF87 == 0x4780 => code.indirect += 1,
                _ if first & 0xFF87 == 0x4700 && first != 0x4770 => code.indirect += 1,
                _ => {}
            }
            at += 2;
            continue;
        }
        let Some(second) = memory.half(at + 2) else { bail!("code at {at:#010x} ends in the middle") };
        let target = usize::from(second >> 8 & 0xF);
        if first & 0xF800 == 0xF000 && second & 0x8000 != 0 {
            let s = u32::from(first >> 10 & 1);
            let (j1, j2) = (u32::from(second >> 13 & 1), u32::from(second >> 11 & 1));
            let far = s << 24
                | (1 ^ j1 ^ s) << 23
                | (1 ^ j2 ^ s) << 22
                | u32::from(first & 0x3FF) << 12
                | u32::from(second & 0x7FF) << 1;
            match second & 0xD000 {
                0xD000 => branch(pc.wrapping_add(sign(far, 25)), true),
                0x9000 => branch(pc.wrapping_add(sign(far, 25)), false),
                0x8000 if first >> 6 & 0xF < 0xE => {
                    let near =
                        s << 20 | j2 << 19 | j1 << 18 | u32::from(first & 0x3F) << 12 | u32::from(second & 0x7FF) << 1;
                    branch(pc.wrapping_add(sign(near, 21)), false);
                }
                _ => {}
            }
        } else if first == 0xE92D {
            // push.w
            code.frame += second.count_ones() * 4;
        } else if first == 0xF84D && second & 0x0F00 == 0x0D00 || first == 0xE96D {
            // str and strd with the stack pointer taken down first
            code.frame += if first == 0xE96D { u32::from(second & 0xFF) * 4 } else { u32::from(second & 0xFF) };
        } else if first & 0xFFBF == 0xED2D {
            // vpush
            code.frame += u32::from(second & 0xFF) * 4;
        } else if first & 0xFBEF == 0xF1AD && second & 0x8F00 == 0x0D00 {
            code.frame += expand(imm12(first, second));
        } else if first & 0xFBFF == 0xF2AD && second & 0x8F00 == 0x0D00 {
            code.frame += imm12(first, second);
        } else if first & 0xFFEF == 0xEBAD && second & 0x0F00 == 0x0D00 {
            match registers[usize::from(second & 0xF)] {
                Some(value) => code.frame += value,
                None => bail!("a frame of unknown size at {at:#010x}"),
            }
        } else if first & 0xFBF0 == 0xF240 && second & 0x8000 == 0 {
            // movw
            registers[target] = Some(u32::from(first & 0xF) << 12 | imm12(first, second));
        } else if first & 0xFBEF == 0xF04F && second & 0x8000 == 0 {
            // mov.w
            registers[target] = Some(expand(imm12(first, second)));
        } else if first & 0xFBF0 == 0xF2C0 && second & 0x8000 == 0 {
            // movt
            let high = (u32::from(first & 0xF) << 12 | imm12(first, second)) << 16;
            registers[target] = registers[target].map(|low| low & 0xFFFF | high);
            code.values.extend(registers[target]);
        } else if first & 0xFF7F == 0xF85F && second >> 12 != 15 {
            // ldr.w register, literal
            let offset = u32::from(second & 0xFFF);
            let literal = if first & 0x80 != 0 { (pc & !3) + offset } else { (pc & !3) - offset };
            registers[usize::from(second >> 12)] = memory.word(literal);
        } else if first & 0xFF70 == 0xF850 && second >> 12 == 15 && first & 0xF != 13 {
            // ldr.w pc, from anywhere but the stack
            code.indirect += 1;
        }
        at += 4;
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u32 = 0x0800_0000;

    fn read(halves: &[u16]) -> Result<Code> {
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        let memory = Memory {
            sections: vec![(START, &bytes, true)],
            vectors: &[],
            kinds: BTreeMap::from([(START, false), (START + 0x100, true)]),
        };
        decode(&memory, START, bytes.len() as u32)
    }

    #[test]
    fn frames_are_what_is_taken_off_the_stack_pointer() {
        for (code, frame, what) in [
            (&[0xB5F0][..], 20, "push {r4-r7, lr}"),
            (&[0xB082], 8, "sub sp, #8"),
            (&[0xE92D, 0x4FF0], 36, "push.w {r4-r11, lr}"),
            (&[0xF84D, 0xBD04], 4, "str r11, [sp, #-4]!"),
            (&[0xF5AD, 0x6D80], 1024, "sub.w sp, sp, #1024"),
            (&[0xF6AD, 0x0D0C], 2060, "subw sp, sp, #2060"),
            (&[0xED2D, 0x8B04], 16, "vpush {d8-d9}"),
            (&[0xF241, 0x2434, 0xEBAD, 0x0D04], 0x1234, "movw r4, #0x1234; sub.w sp, sp, r4"),
            (&[0xBDF0, 0x4770], 0, "pop; bx lr"),
        ] {
            assert_eq!(read(code).unwrap().frame, frame, "{what}");
        }
    }

    #[test]
    fn a_frame_that_cannot_be_read_is_an_error() {
        assert!(read(&[0xEBAD, 0x0D04]).is_err(), "sub.w sp, sp, r4 with an unknown r4");
    }

    #[test]
    fn calls_and_jumps_out_of_the_function_are_followed() {
        assert_eq!(read(&[0xF000, 0xF87E]).unwrap().targets, [START + 0x100], "bl");
        assert_eq!(read(&[0xF7FF, 0xFFFE]).unwrap().targets, [START], "bl to itself");
        assert_eq!(read(&[0xF000, 0xB87E]).unwrap().targets, [START + 0x100], "b.w");
        assert_eq!(read(&[0xE7FE]).unwrap().targets, [], "a loop is no call");
        assert_eq!(read(&[0x4798]).unwrap().indirect, 1, "blx r3");
        assert_eq!(read(&[0x4770]).unwrap().indirect, 0, "bx lr");
        assert_eq!(read(&[0xF240, 0x1301, 0xF6C0, 0x0300]).unwrap().values, [0x0800_0101], "movw, movt");
    }

    fn graph(calls: &[&[usize]], frames: &[u32]) -> Graph {
        let function = |(index, calls): (usize, &&[usize])| Function {
            name: format!("f{index}"),
            size: 2,
            frame: frames[index],
            calls: calls.to_vec(),
            indirect: 0,
            taken: false,
        };
        Graph {
            functions: calls.iter().enumerate().map(function).collect(),
            handlers: vec![],
            reset: 0,
            exception: EXCEPTION,
        }
    }

    #[test]
    fn the_deepest_chain_is_found() {
        let graph = graph(&[&[1, 2], &[3], &[3], &[]], &[8, 100, 20, 4]);
        let deepest = graph.deepest().unwrap();
        assert_eq!(deepest.bytes, 8 + 100 + 4 + EXCEPTION);
        assert_eq!(deepest.main.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["f0", "f1", "f3"]);
        assert!(graph.cycles().is_empty());
    }

    #[test]
    fn recursion_is_found() {
        assert_eq!(graph(&[&[1], &[1]], &[0; 2]).cycles(), [["f1"]], "a function that calls itself");
        let graph = graph(&[&[1], &[2], &[1]], &[0; 3]);
        let mut pair = graph.cycles().concat();
        pair.sort_unstable();
        assert_eq!(pair, ["f1", "f2"], "two that call each other");
    }

    #[test]
    fn a_call_through_a_pointer_needs_a_rule() {
        let mut unknown = graph(&[&[1], &[]], &[0; 2]);
        unknown.functions[1].indirect = 1;
        assert!(unknown.deepest().is_err());
    }

    #[test]
    fn panics_and_allocators_are_counted() {
        let mut graph = graph(&[&[1, 1, 2], &[], &[]], &[0; 3]);
        graph.functions[1].name = "core::panicking::panic_bounds_check".into();
        graph.functions[2].name = "__rust_alloc".into();
        assert_eq!(graph.panics(), BTreeMap::from([("f0", 2)]));
        assert_eq!(graph.allocators(), ["__rust_alloc"]);
    }

    #[test]
    fn an_image_that_breaks_a_promise_is_refused() {
        let sound = graph(&[&[1], &[]], &[0; 2]);
        assert!(sound.keeps_promises(0).is_ok());
        let refused = |graph: &Graph, allowed| graph.keeps_promises(allowed).unwrap_err().to_string();
        assert!(refused(&graph(&[&[1], &[1]], &[0; 2]), 9).contains("call themselves"));
        let mut allocates = graph(&[&[1], &[]], &[0; 2]);
        allocates.functions[1].name = "malloc".into();
        assert!(refused(&allocates, 9).contains("allocator"));
        let mut panics = graph(&[&[1, 1], &[]], &[0; 2]);
        panics.functions[1].name = "core::panicking::panic".into();
        assert!(panics.keeps_promises(2).is_ok());
        assert!(refused(&panics, 1).contains("2 calls end in a panic"));
    }
}
