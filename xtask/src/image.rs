//! What the linker has made: how large it is, and how to bring it onto a board without a debug probe.
//!
//! Everything here reads the program headers of the ELF file, which say what a loader has to do: which bytes go where
//! (the physical address, in flash), and which addresses they, or zeros, take up while the program runs (the virtual
//! address, in RAM for variables). Debug information and log texts are not part of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use object::LittleEndian;
use object::elf::{FileHeader32, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};

/// How much of a board an image takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The lowest address in flash: on a board, where its flash begins.
    pub start: u32,
    /// Bytes written into flash, the first values of variables among them.
    pub flash: u64,
    /// Bytes of RAM that are taken before the first instruction runs; the stack comes on top.
    pub ram: u64,
}

/// The sizes of the image in an ELF file.
pub fn sizes(elf: &Path) -> anyhow::Result<Sizes> {
    let file = read(elf)?;
    let segments = segments(&file).with_context(|| format!("{} is no image of a board", elf.display()))?;
    Ok(measure(&segments))
}

/// The image in the Raspberry Pi Pico's ELF file as a UF2 file, which its boot loader takes by drag and drop.
pub fn uf2(elf: &Path) -> anyhow::Result<Vec<u8>> {
    let file = read(elf)?;
    let segments = segments(&file).with_context(|| format!("{} is no image of a board", elf.display()))?;
    uf2_blocks(&segments).with_context(|| format!("{} is no image for a Raspberry Pi Pico", elf.display()))
}

fn read(elf: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(elf).with_context(|| format!("cannot read {}: has the firmware been built?", elf.display()))
}

/// A stretch of memory that the image fills.
#[derive(Debug)]
struct Segment<'a> {
    /// Where it is used.
    address: u32,
    /// Bytes it takes there.
    size: u32,
    /// Where its bytes are stored.
    stored_at: u32,
    /// The bytes; what is missing to `size` starts as zero, or as it was.
    bytes: &'a [u8],
}

fn segments(file: &[u8]) -> anyhow::Result<Vec<Segment<'_>>> {
    let header = FileHeader32::<LittleEndian>::parse(file)?;
    let endian = header.endian()?;
    let mut segments = Vec::new();
    for program in header.program_headers(endian, file)? {
        if program.p_type(endian) != PT_LOAD {
            continue;
        }
        let Ok(bytes) = program.data(endian, file) else { bail!("a segment lies outside the file") };
        segments.push(Segment {
            address: program.p_vaddr(endian),
            size: program.p_memsz(endian),
            stored_at: program.p_paddr(endian),
            bytes,
        });
    }
    ensure!(segments.iter().any(|segment| !segment.bytes.is_empty()), "there is nothing to load in it");
    Ok(segments)
}

/// Where the architecture puts RAM, on every Cortex-M.
const RAM: core::ops::Range<u32> = 0x2000_0000..0x4000_0000;

fn measure(segments: &[Segment<'_>]) -> Sizes {
    Sizes {
        start: segments
            .iter()
            .filter(|segment| !segment.bytes.is_empty())
            .map(|segment| segment.stored_at)
            .min()
            .unwrap_or(0),
        flash: segments.iter().map(|segment| segment.bytes.len() as u64).sum(),
        ram: segments.iter().filter(|segment| RAM.contains(&segment.address)).map(|segment| segment.size as u64).sum(),
    }
}

/// Bytes of image in a block, which the Pico's boot loader wants to be one page of flash.
const PAGE: u32 = 256;
/// What the flash can erase at a time.
const SECTOR: u32 = 4_096;
/// Where the Pico's flash appears: 2 MB of it.
const PICO_FLASH: core::ops::Range<u32> = 0x1000_0000..0x1020_0000;
const BLOCK: usize = 512;
const MAGIC: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const MAGIC_END: u32 = 0x0AB1_6F30;
/// The last word of the header names the family of parts that the file is for.
const HAS_FAMILY: u32 = 0x2000;
const RP2040: u32 = 0xE48B_FF56;
const ERASED: u8 = 0xFF;

fn uf2_blocks(segments: &[Segment<'_>]) -> anyhow::Result<Vec<u8>> {
    let mut pages: BTreeMap<u32, [u8; PAGE as usize]> = BTreeMap::new();
    for segment in segments {
        let end = segment.stored_at as u64 + segment.bytes.len() as u64;
        ensure!(
            segment.bytes.is_empty() || PICO_FLASH.contains(&segment.stored_at) && end <= PICO_FLASH.end.into(),
            "{:#010x}..{end:#010x} is not in its flash",
            segment.stored_at,
        );
        for (address, &byte) in (segment.stored_at..).zip(segment.bytes) {
            let sector = address & !(SECTOR - 1);
            // A sector that is touched is written whole: the boot loader may lose pages of one that is not (the part's
            // erratum E14).
            if !pages.contains_key(&sector) {
                pages.extend(
                    (sector..sector + SECTOR).step_by(PAGE as usize).map(|page| (page, [ERASED; PAGE as usize])),
                );
            }
            if let Some(page) = pages.get_mut(&(address & !(PAGE - 1))) {
                page[(address % PAGE) as usize] = byte;
            }
        }
    }
    let count = pages.len() as u32;
    let mut file = Vec::with_capacity(pages.len() * BLOCK);
    for (number, (address, page)) in (0..).zip(&pages) {
        let start = file.len();
        for word in [MAGIC[0], MAGIC[1], HAS_FAMILY, *address, PAGE, number, count, RP2040] {
            file.extend(word.to_le_bytes());
        }
        file.extend(page);
        file.resize(start + BLOCK - 4, 0);
        file.extend(MAGIC_END.to_le_bytes());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program header: type, address, where it is stored, bytes, size.
    type Program<'a> = (u32, u32, u32, &'a [u8], u32);

    const LOAD: u32 = 1;
    const NOTE: u32 = 4;

    /// The smallest ELF file for a Cortex-M with these segments.
    fn elf(programs: &[Program<'_>]) -> Vec<u8> {
        const HEADER: u32 = 52;
        const PROGRAM_HEADER: u32 = 32;
        let half = u16::to_le_bytes;
        let word = u32::to_le_bytes;
        let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        // Executable, ARM, version 1; entry, program headers, no section headers, flags.
        file.extend([half(2), half(40)].concat());
        file.extend([word(1), word(0x1000_0101), word(HEADER), word(0), word(0x0500_0200)].concat());
        let count = programs.len() as u16;
        file.extend(
            [half(HEADER as u16), half(PROGRAM_HEADER as u16), half(count), half(40), half(0), half(0)].concat(),
        );
        let mut offset = HEADER + PROGRAM_HEADER * programs.len() as u32;
        for &(kind, address, stored_at, bytes, size) in programs {
            let stored = bytes.len() as u32;
            let fields = [kind, offset, address, stored_at, stored, size, 5, 4];
            file.extend(fields.map(word).concat());
            offset += stored;
        }
        file.extend(programs.iter().flat_map(|program| program.3));
        file
    }

    /// What a board's image looks like: boot loader, code, variables with a first value, variables that start as zero.
    fn example() -> Vec<u8> {
        let boot = [0xB0; 256];
        let code: Vec<u8> = (0..600_u32).map(|index| index as u8).collect();
        elf(&[
            (LOAD, 0x1000_0000, 0x1000_0000, &boot, 256),
            (LOAD, 0x1000_0100, 0x1000_0100, &code, 600),
            (LOAD, 0x2000_8000, 0x1000_0358, &[0xDA; 24], 24),
            (LOAD, 0x2000_8018, 0x2000_8018, &[], 5_000),
            (NOTE, 0, 0, &[1, 2, 3, 4], 4),
        ])
    }

    fn convert(file: &[u8]) -> anyhow::Result<Vec<u8>> {
        uf2_blocks(&segments(file)?)
    }

    fn word(block: &[u8], index: usize) -> u32 {
        u32::from_le_bytes(block[index * 4..index * 4 + 4].try_into().unwrap())
    }

    #[test]
    fn flash_is_what_is_stored_and_ram_what_is_taken() {
        let file = example();
        assert_eq!(
            measure(&segments(&file).unwrap()),
            Sizes { start: 0x1000_0000, flash: 256 + 600 + 24, ram: 24 + 5_000 }
        );
    }

    #[test]
    fn every_block_has_its_header() {
        let file = convert(&example()).unwrap();
        assert_eq!(file.len() % BLOCK, 0);
        // 880 bytes touch one sector, which is written whole.
        let blocks: Vec<&[u8]> = file.chunks(BLOCK).collect();
        assert_eq!(blocks.len(), 16);
        for (number, block) in blocks.iter().enumerate() {
            assert_eq!(&block[..8], b"UF2\nWQ\x5D\x9E");
            assert_eq!(word(block, 2), 0x2000, "flags");
            assert_eq!(word(block, 3), 0x1000_0000 + 256 * number as u32, "address");
            assert_eq!(word(block, 4), 256, "bytes");
            assert_eq!(word(block, 5), number as u32, "number");
            assert_eq!(word(block, 6), 16, "of");
            assert_eq!(word(block, 7), 0xE48B_FF56, "family");
            assert!(block[32 + 256..508].iter().all(|&byte| byte == 0), "padding");
            assert_eq!(word(block, 127), 0x0AB1_6F30, "end");
        }
    }

    #[test]
    fn the_blocks_hold_the_image_in_order() {
        let file = convert(&example()).unwrap();
        let image: Vec<u8> = file.chunks(BLOCK).flat_map(|block| block[32..32 + 256].to_vec()).collect();
        assert!(image[..256].iter().all(|&byte| byte == 0xB0));
        assert!(image[256..856].iter().enumerate().all(|(index, &byte)| byte == index as u8));
        assert!(image[856..880].iter().all(|&byte| byte == 0xDA), "variables follow the code without a gap");
        assert!(image[880..].iter().all(|&byte| byte == ERASED));
    }

    #[test]
    fn sectors_between_two_segments_are_left_out() {
        let file = elf(&[(LOAD, 0x1000_0FFE, 0x1000_0FFE, &[1, 2, 3], 3), (LOAD, 0x1000_8000, 0x1000_8000, &[4], 1)]);
        let file = convert(&file).unwrap();
        let addresses: Vec<u32> = file.chunks(BLOCK).map(|block| word(block, 3)).collect();
        let expected: Vec<u32> = (0x1000_0000..0x1000_2000).chain(0x1000_8000..0x1000_9000).step_by(256).collect();
        assert_eq!(addresses, expected);
        assert_eq!(file[BLOCK * 15 + 32 + 254..][..2], [1, 2]);
        assert_eq!(file[BLOCK * 16 + 32], 3);
        assert_eq!(file[BLOCK * 32 + 32], 4);
    }

    #[test]
    fn other_boards_images_are_refused() {
        let file = elf(&[(LOAD, 0x0800_0000, 0x0800_0000, &[1], 1)]);
        let error = convert(&file).unwrap_err().to_string();
        assert!(error.contains("0x08000000"), "{error}");
        let file = elf(&[(LOAD, 0x101F_FFFF, 0x101F_FFFF, &[1, 2], 2)]);
        assert!(convert(&file).is_err(), "the end of the flash");
    }

    #[test]
    fn what_is_no_image_is_refused() {
        assert!(segments(b"not an ELF file").is_err());
        assert!(segments(&elf(&[])).is_err());
        let mut cut = example();
        cut.truncate(400);
        assert!(segments(&cut).is_err());
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = sizes(Path::new("no/such/image")).unwrap_err().to_string();
        assert!(error.contains("no/such/image"), "{error}");
    }
}
