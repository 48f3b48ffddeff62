//! Plots as SVG, drawn by hand: a page that needs no script and no network.

use core::fmt::Write as _;

/// Colours of the files, in order; told apart also by people who see few colours.
pub(super) const COLOURS: [&str; 6] = ["#2a6fbb", "#d9822b", "#3a9a5b", "#b5495b", "#7a5fb0", "#6b7280"];

const WIDTH: f64 = 720.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 96.0;
const ROW: f64 = 22.0;
/// About as wide as a character.
const CHARACTER: f64 = 6.8;

/// Text that may stand in a page.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number as people read it: 617,023 or 1.25.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 100.0 && value.fract() != 0.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

fn open(height: f64, title: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>", escape(title))
}

/// A bar with its name on the left and its figure on the right.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) label: String,
    pub(super) colour: usize,
    /// What the bar may grow to, drawn as a line.
    pub(super) limit: Option<f64>,
}

/// Horizontal bars on one scale.
pub(super) fn bars(title: &str, bars: &[Bar]) -> String {
    let longest = bars.iter().flat_map(|bar| [Some(bar.value), bar.limit]).flatten().fold(1e-9, f64::max);
    // The figures stand outside the bars.
    let label = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0) as f64 * CHARACTER + 12.0;
    let scale = (WIDTH - LEFT - label) / longest;
    let mut svg = open(ROW * bars.len() as f64 + 6.0, title);
    for (row, bar) in bars.iter().enumerate() {
        let y = ROW * row as f64 + 3.0;
        let colour = COLOURS[bar.colour % COLOURS.len()];
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" rx=\"2\" fill=\"{colour}\"/>",
            LEFT - 8.0,
            y + 13.0,
            escape(&bar.name),
            (bar.value * scale).max(1.0),
            ROW - 6.0,
        );
        let mut end = bar.value;
        if let Some(limit) = bar.limit {
            end = end.max(limit);
            let x = LEFT + limit * scale;
            let _ =
                write!(svg, "<line class=\"limit\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y}\" y2=\"{}\"/>", y + ROW - 6.0);
        }
        let _ =
            write!(svg, "<text x=\"{:.1}\" y=\"{}\">{}</text>", LEFT + end * scale + 6.0, y + 13.0, escape(&bar.label));
    }
    svg + "</svg>"
}

/// A round distance between some five marks of an axis.
fn step(longest: f64) -> f64 {
    let power = 10_f64.powf((longest / 5.0).log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power * 5.5 >= longest);
    times.unwrap_or(10.0) * power
}

/// A dot a decision, a row a name, and the deadline as a line: all that the distribution of some dozen figures can say.
pub(super) fn dots(title: &str, rows: &[(String, usize, Vec<f64>)], limit: Option<f64>, unit: &str) -> String {
    let all = rows.iter().flat_map(|(_, _, values)| values.iter().copied()).chain(limit);
    let longest = all.fold(1e-9, f64::max) * 1.02;
    let scale = (WIDTH - LEFT - RIGHT) / longest;
    let height = ROW * rows.len() as f64 + 26.0;
    let mut svg = open(height, title);
    let step = step(longest);
    for value in (0..).map(|count| f64::from(count) * step).take_while(|value| *value <= longest) {
        let x = LEFT + value * scale;
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{}\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" class=\"axis\">{}</text>",
            height - 20.0,
            height - 6.0,
            number(value),
        );
    }
    for (row, (name, colour, values)) in rows.iter().enumerate() {
        let y = ROW * row as f64 + ROW / 2.0;
        let _ =
            write!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", LEFT - 8.0, y + 4.0, escape(name));
        for value in values {
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\" fill-opacity=\"0.55\"><title>{} {unit}</title></circle>",
                LEFT + value * scale,
                COLOURS[colour % COLOURS.len()],
                number(*value)
            );
        }
    }
    if let Some(limit) = limit {
        let x = LEFT + limit * scale;
        let _ = write!(
            svg,
            "<line class=\"limit\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{}\"/>\
             <text x=\"{:.1}\" y=\"12\" class=\"limit\">deadline</text>",
            height - 20.0,
            x + 5.0
        );
    }
    svg + "</svg>"
}

/// A name, the colour's number, and points.
pub(super) type Line = (String, usize, Vec<(f64, f64)>);

/// Depth against time on a logarithmic scale: a line a position. `limit` is the deadline, in microseconds.
pub(super) fn depth_lines(title: &str, lines: &[Line], limit: f64) -> String {
    const HEIGHT: f64 = 300.0;
    const BOTTOM: f64 = 34.0;
    let points = || lines.iter().flat_map(|(_, _, points)| points.iter());
    let first = points().map(|point| point.0).fold(f64::INFINITY, f64::min).max(10.0).log10().floor();
    let last = limit.log10();
    let deepest = points().map(|point| point.1).fold(1.0, f64::max);
    let (left, right) = (48.0, 24.0);
    let x = |us: f64| left + (us.max(1.0).log10() - first).max(0.0) / (last - first) * (WIDTH - left - right);
    let y = |depth: f64| HEIGHT - BOTTOM - depth / (deepest + 1.0) * (HEIGHT - BOTTOM - 10.0);
    let mut svg = open(HEIGHT, title);
    let mut decade = first;
    while decade <= last {
        let us = 10_f64.powf(decade);
        let label = if us >= 1e6 {
            format!("{} s", number(us / 1e6))
        } else if us >= 1e3 {
            format!("{} ms", number(us / 1e3))
        } else {
            format!("{} µs", number(us))
        };
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"6\" y2=\"{1}\"/>\
             <text x=\"{0:.1}\" y=\"{2}\" text-anchor=\"middle\" class=\"axis\">{label}</text>",
            x(us),
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0,
        );
        decade += 1.0;
    }
    let mut depth = 0.0;
    while depth <= deepest {
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{1}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\" class=\"axis\">{depth}</text>",
            y(depth),
            WIDTH - right,
            left - 8.0,
            y(depth) + 4.0,
        );
        depth += if deepest > 12.0 { 4.0 } else { 2.0 };
    }
    for (name, colour, points) in lines {
        let path: Vec<String> = points.iter().map(|(us, depth)| format!("{:.1},{:.1}", x(*us), y(*depth))).collect();
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-opacity=\"0.8\"><title>{}</title></polyline>",
            path.join(" "),
            COLOURS[colour % COLOURS.len()],
            escape(name)
        );
    }
    let _ = write!(
        svg,
        "<line class=\"limit\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"6\" y2=\"{1}\"/>\
         <text x=\"{2}\" y=\"{3}\" text-anchor=\"end\" class=\"axis\">time of the search (logarithmic)</text>\
         <text x=\"{left}\" y=\"10\" class=\"axis\">depth</text>",
        x(limit),
        HEIGHT - BOTTOM,
        WIDTH - right,
        HEIGHT - 2.0,
    );
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(617_023.0), "617,023");
        assert_eq!(number(-1_000.0), "-1,000");
        assert_eq!(number(1.25), "1.25");
        assert_eq!(number(42.0), "42");
    }

    #[test]
    fn axes_have_round_marks() {
        assert!((step(1_020.0) - 200.0).abs() < 1e-9);
        assert!((step(7.0) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn text_cannot_leave_its_place() {
        let bar = Bar { name: "<script>\"&".into(), value: 1.0, label: "<b>".into(), colour: 9, limit: Some(2.0) };
        let svg = bars("a & b", &[bar]);
        assert!(!svg.contains("<script") && !svg.contains("<b>"), "{svg}");
        assert!(svg.contains("&lt;script&gt;&quot;&amp;"));
    }

    #[test]
    fn a_plot_without_figures_is_still_a_plot() {
        for svg in [bars("none", &[]), dots("none", &[], None, "ms"), depth_lines("none", &[], 1e6)] {
            assert!(
                svg.starts_with("<svg") && svg.ends_with("</svg>") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
    }
}
