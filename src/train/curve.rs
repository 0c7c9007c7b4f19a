//! The learning curve of a run: training and validation loss over time, written as CSV and drawn as SVG.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// A point of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Steps of the optimizer taken.
    pub steps: u64,
    /// Passes through the data.
    pub epochs: f64,
    /// Learning rate of the last step.
    pub learning_rate: f32,
    /// Mean loss of the batches since the last point.
    pub training: f64,
    /// Mean loss of the validation samples.
    pub validation: f64,
    /// Share of the validation samples whose evaluation has the sign of the score.
    pub signs: f64,
}

/// The points as comma-separated values.
pub fn csv(points: &[Point]) -> String {
    let mut text =
        "steps,epochs,learning_rate,training_loss,validation_loss,sign_accuracy\n".to_owned();
    for point in points {
        let Point {
            steps,
            epochs,
            learning_rate,
            training,
            validation,
            signs,
        } = point;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{steps},{epochs:.4},{learning_rate:.3e},{training:.6},{validation:.6},{signs:.5}"
        );
    }
    text
}

/// Size of the drawing, and the room around the curves.
const SIZE: [f64; 2] = [720.0, 420.0];
const MARGIN: f64 = 56.0;
/// Lines across the drawing.
const TICKS: u32 = 5;
const COLORS: [&str; 2] = ["#888888", "#c0392b"];

/// The losses as a drawing in SVG.
pub fn svg(points: &[Point]) -> String {
    let losses = points
        .iter()
        .flat_map(|point| [point.training, point.validation]);
    let low = losses.clone().fold(f64::INFINITY, f64::min);
    let high = losses.fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let last = points.last().map_or(1.0, |point| point.epochs.max(1e-9));
    let [width, height] = SIZE;
    let x = |epochs: f64| MARGIN + (width - 2.0 * MARGIN) * epochs / last;
    let y = |loss: f64| height - MARGIN - (height - 2.0 * MARGIN) * (loss - low) / (high - low);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut line = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "{line}");
    };
    for tick in 0..=TICKS {
        let share = f64::from(tick) / f64::from(TICKS);
        let (epochs, loss) = (last * share, low + (high - low) * share);
        let (left, right, bottom) = (MARGIN, width - MARGIN, height - MARGIN);
        let (at_x, at_y) = (x(epochs), y(loss));
        line(format_args!(
            "<path d=\"M{left} {at_y:.1}H{right}\" stroke=\"#dddddd\"/>"
        ));
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>",
            left - 6.0,
            at_y + 4.0
        ));
        line(format_args!(
            "<text x=\"{at_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{epochs:.1}</text>",
            bottom + 18.0
        ));
    }
    let of = |loss: fn(&Point) -> f64| points.iter().map(loss).collect::<Vec<_>>();
    let losses = [
        ("training", of(|point| point.training)),
        ("validation", of(|point| point.validation)),
    ];
    for (index, ((name, loss), color)) in losses.into_iter().zip(COLORS).enumerate() {
        let places: Vec<String> = points
            .iter()
            .zip(loss)
            .map(|(point, loss)| format!("{:.1},{:.1}", x(point.epochs), y(loss)))
            .collect();
        line(format_args!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" points=\"{}\"/>",
            places.join(" ")
        ));
        let place = MARGIN - 18.0 + 14.0 * index as f64 - 14.0;
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{place:.1}\" text-anchor=\"end\" fill=\"{color}\">{name} loss</text>",
            width - MARGIN
        ));
    }
    line(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">epochs</text>",
        width / 2.0,
        height - 14.0
    ));
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(steps: u64, training: f64, validation: f64) -> Point {
        Point {
            steps,
            epochs: steps as f64 / 10.0,
            learning_rate: 0.001,
            training,
            validation,
            signs: 0.75,
        }
    }

    #[test]
    fn points_become_rows_and_lines() {
        let points = [point(10, 0.7, 0.65), point(20, 0.6, 0.625)];
        let text = csv(&points);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[1], "10,1.0000,1.000e-3,0.700000,0.650000,0.75000");
        let drawing = svg(&points);
        // The highest loss lies on the upper margin, the lowest on the lower one, the last point on the right one.
        assert!(
            drawing.contains("points=\"360.0,56.0 664.0,364.0\""),
            "{drawing}"
        );
        assert_eq!(drawing.matches("<polyline").count(), 2);
    }

    #[test]
    fn nothing_and_one_point_can_be_drawn() {
        for points in [&[][..], &[point(1, 0.5, 0.5)]] {
            assert!(!svg(points).contains("NaN"));
        }
    }
}
