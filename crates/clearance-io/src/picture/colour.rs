//! Colours, and how much light makes of them.

use clearance::glam::DVec3;

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

/// Eight colours that stay apart for most kinds of colour blindness, of similar lightness.
pub const PALETTE: [Colour; 8] = [
    Colour::new(0x4e, 0x8f, 0xd6),
    Colour::new(0xf0, 0x9a, 0x3e),
    Colour::new(0x3f, 0xb0, 0x8f),
    Colour::new(0xe0, 0x6c, 0x75),
    Colour::new(0x9a, 0x7f, 0xd1),
    Colour::new(0xd9, 0xb8, 0x3a),
    Colour::new(0x5f, 0xb7, 0xd4),
    Colour::new(0xa6, 0x8a, 0x72),
];

impl Colour {
    /// From the three channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Colour {
        Colour { red, green, blue }
    }

    /// The palette's colour for the `i`-th thing; repeats after eight.
    pub const fn of_index(i: usize) -> Colour {
        PALETTE[i % PALETTE.len()]
    }

    /// The colour under light of strength 0 to 1: darker and a little cooler in the shade, lighter in full light.
    ///
    /// Lightness moves in OKLab, so all hues darken alike.
    pub fn lit(self, light: f64) -> Colour {
        let light = light.clamp(0.0, 1.0);
        let lab = to_oklab(self.linear());
        let lightness = (lab.x * (0.58 + 0.54 * light)).clamp(0.0, 0.985);
        // Both ends lose some colour: deep shade and highlights look greyer.
        let chroma = 1.0 - 0.22 * (2.0 * light - 1.1).powi(2);
        Colour::from_linear(from_oklab(DVec3::new(lightness, lab.y * chroma, lab.z * chroma)))
    }

    /// Linear-light channels, 0 to 1, as GLB materials want them.
    pub fn linear(self) -> DVec3 {
        let channel = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        DVec3::new(channel(self.red), channel(self.green), channel(self.blue))
    }

    fn from_linear(linear: DVec3) -> Colour {
        let channel = |c: f64| {
            let c = c.clamp(0.0, 1.0);
            let c = if c <= 0.0031308 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (c * 255.0).round() as u8
        };
        Colour::new(channel(linear.x), channel(linear.y), channel(linear.z))
    }

    /// Opaque, in linear light: what a GLB holds.
    pub fn rgba(self) -> [f32; 4] {
        let linear = self.linear();
        [linear.x as f32, linear.y as f32, linear.z as f32, 1.0]
    }

    /// `#rrggbb`, or `#rgb` where that says the same.
    pub fn to_hex(self) -> String {
        let channels = [self.red, self.green, self.blue];
        if channels.iter().all(|c| c % 17 == 0) {
            channels.iter().fold(String::from("#"), |hex, c| hex + &format!("{:x}", c / 17))
        } else {
            channels.iter().fold(String::from("#"), |hex, c| hex + &format!("{c:02x}"))
        }
    }
}

/// OKLab (Ottosson 2020) of linear sRGB.
fn to_oklab(linear: DVec3) -> DVec3 {
    let l = linear.dot(DVec3::new(0.4122214708, 0.5363325363, 0.0514459929)).cbrt();
    let m = linear.dot(DVec3::new(0.2119034982, 0.6806995451, 0.1073969566)).cbrt();
    let s = linear.dot(DVec3::new(0.0883024619, 0.2817188376, 0.6299787005)).cbrt();
    DVec3::new(
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )
}

fn from_oklab(lab: DVec3) -> DVec3 {
    let l = (lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z).powi(3);
    let m = (lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z).powi(3);
    let s = (lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z).powi(3);
    DVec3::new(
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklab_and_back_is_the_same_colour() {
        for red in (0..=255).step_by(51) {
            for green in (0..=255).step_by(51) {
                for blue in (0..=255).step_by(51) {
                    let colour = Colour::new(red, green, blue);
                    assert_eq!(Colour::from_linear(from_oklab(to_oklab(colour.linear()))), colour);
                }
            }
        }
    }

    #[test]
    fn more_light_is_lighter() {
        let lightness = |c: Colour| to_oklab(c.linear()).x;
        for colour in PALETTE {
            for step in 0..16 {
                let (dim, bright) = (f64::from(step) / 16.0, f64::from(step + 1) / 16.0);
                assert!(lightness(colour.lit(dim)) < lightness(colour.lit(bright)), "{colour:?} at {dim}");
            }
        }
    }

    #[test]
    fn hex_is_short_where_it_can_be() {
        assert_eq!(Colour::new(0xff, 0x33, 0x00).to_hex(), "#f30");
        assert_eq!(Colour::new(0x01, 0xa0, 0xff).to_hex(), "#01a0ff");
    }
}
