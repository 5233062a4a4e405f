//! The shapes that `make` knows: one table gives the options, the help and the list.

use crate::output::Failure;
use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand, value_parser};
use clearance::{
    Pose,
    glam::DVec3,
    shape::{
        Capsule, Cuboid, Ellipsoid, Polytope, Primitive, Rounded, RoundedCore, Shape, TriangleSoup,
        sample::{self, FourBarConfig, GearConfig, PolytopeKind, SampleError, SamplePart, ThreadConfig},
    },
};
use clearance_io::picture::{Fineness, tessellate};

/// One shape that can be made.
pub struct Recipe {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [Choice],
    build: fn(&Values<'_>) -> Result<Vec<SamplePart>, Failure>,
}

/// An option of a shape.
pub struct Choice {
    /// Its long name.
    pub name: &'static str,
    /// What is taken if it is not given.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
    /// What it accepts.
    pub kind: Kind,
}

/// What an option accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A whole number.
    Count,
    /// One of these words.
    Word(&'static [&'static str]),
}

const fn number(name: &'static str, default: &'static str, help: &'static str) -> Choice {
    Choice { name, default, help, kind: Kind::Number }
}

const fn whole(name: &'static str, default: &'static str, help: &'static str) -> Choice {
    Choice { name, default, help, kind: Kind::Count }
}

const POLYTOPE_KINDS: &[&str] = &["ellipsoid", "thin-rod", "thick-rod", "plate"];
const ROUNDING: Choice = number("rounding", "0", "Radius of a ball that is added all around");
const FINENESS: Choice = whole("fineness", "16", "Pieces per quarter turn, 1 to 128");

const THREAD: &[Choice] = &[
    number("diameter", "10", "Outer diameter of the thread"),
    number("pitch", "1.5", "Advance per turn"),
    number("length", "40", "Length of the bolt without its head"),
    whole("segments", "48", "Vertices per turn, a multiple of 6"),
    number("clearance", "0.1", "How much wider the nut's thread is in radius"),
];

/// Every shape, primitives first.
pub const RECIPES: &[Recipe] = &[
    Recipe {
        name: "box",
        about: "A box around the origin, sharp or rounded",
        options: &[
            number("x", "1", "Full edge length along x"),
            number("y", "1", "Full edge length along y"),
            number("z", "1", "Full edge length along z"),
            ROUNDING,
            FINENESS,
        ],
        build: |v| v.rounded(Primitive::from(Cuboid::new(v.vector(["x", "y", "z"])).map_err(usage)?), "box"),
    },
    Recipe {
        name: "sphere",
        about: "A ball around the origin: a geodesic sphere",
        options: &[
            number("radius", "1", "Radius"),
            whole("frequency", "16", "Parts per edge of the icosahedron, 1 to 512"),
        ],
        build: |v| one("sphere", sample::icosphere(v.number("radius"), v.count("frequency"))),
    },
    Recipe {
        name: "ellipsoid",
        about: "An ellipsoid around the origin",
        options: &[
            number("x", "1", "Half its extent along x"),
            number("y", "0.7", "Half its extent along y"),
            number("z", "0.5", "Half its extent along z"),
            ROUNDING,
            FINENESS,
        ],
        build: |v| {
            v.rounded(Primitive::from(Ellipsoid::new(v.vector(["x", "y", "z"])).map_err(usage)?), "ellipsoid")
        },
    },
    Recipe {
        name: "capsule",
        about: "A capsule along z",
        options: &[
            number("length", "2", "Length of its core segment, without the caps"),
            number("radius", "0.5", "Radius of tube and caps"),
            FINENESS,
        ],
        build: |v| {
            v.rounded(
                Primitive::from(Capsule::new(v.number("length"), v.number("radius")).map_err(usage)?),
                "capsule",
            )
        },
    },
    Recipe {
        name: "cylinder",
        about: "A cylinder along z: a prism over a regular polygon",
        options: &[
            whole("corners", "64", "Corners of the polygon"),
            number("radius", "1", "Radius of the corners"),
            number("height", "2", "Full height"),
        ],
        build: |v| one("cylinder", sample::prism(v.count("corners"), v.number("radius"), v.number("height"))),
    },
    Recipe {
        name: "cone",
        about: "A cone over a regular polygon, its tip up",
        options: &[
            whole("corners", "64", "Corners of the base"),
            number("radius", "1", "Radius of the base"),
            number("height", "2", "Full height"),
        ],
        build: |v| hull("cone", sample::cone(v.count("corners"), v.number("radius"), v.number("height"))),
    },
    Recipe {
        name: "bipyramid",
        about: "Two cones base to base",
        options: &[
            whole("corners", "64", "Corners of the common base"),
            number("radius", "1", "Radius of the base"),
            number("height", "2", "From tip to tip"),
        ],
        build: |v| {
            hull("bipyramid", sample::bipyramid(v.count("corners"), v.number("radius"), v.number("height")))
        },
    },
    Recipe {
        name: "disc",
        about: "A flat disc: a regular polygon or a thin prism",
        options: &[
            whole("corners", "64", "Corners of the polygon"),
            number("radius", "1", "Radius of the corners"),
            number("thickness", "0.1", "Thickness; 0 gives a flat polygon with two sides"),
        ],
        build: |v| hull("disc", sample::disc(v.count("corners"), v.number("radius"), v.number("thickness"))),
    },
    Recipe {
        name: "polytope",
        about: "A random convex polytope with an exact number of vertices",
        options: &[
            Choice {
                name: "kind",
                default: "ellipsoid",
                help: "Semi-axes: 1 .7 .5, 1 .05 .05, 1 .2 .2, or 1 1 .05",
                kind: Kind::Word(POLYTOPE_KINDS),
            },
            whole("vertices", "100", "How many vertices, 4 to 1000000"),
            whole("seed", "1", "Another seed gives another polytope"),
        ],
        build: |v| {
            let kind = POLYTOPE_KINDS.iter().position(|&k| k == v.word("kind")).unwrap_or(0);
            hull(
                "polytope",
                sample::random_polytope(PolytopeKind::ALL[kind], v.count("vertices"), v.count("seed").into()),
            )
        },
    },
    Recipe {
        name: "cube",
        about: "A cube of 6 squares",
        options: &[number("edge", "1", "Edge length")],
        build: |v| {
            // The box of equal edges refuses what is no length.
            Cuboid::new(DVec3::splat(v.number("edge"))).map_err(usage)?;
            Ok(vec![part("cube", sample::cube(v.number("edge")).to_soup())])
        },
    },
    Recipe {
        name: "torus",
        about: "A torus around z",
        options: &[
            number("ring-radius", "2", "From the centre to the middle of the tube"),
            number("tube-radius", "1", "Radius of the tube"),
            whole("around", "96", "Vertices around the ring"),
            whole("across", "48", "Vertices around the tube"),
        ],
        build: |v| {
            let radii = [v.number("ring-radius"), v.number("tube-radius")];
            one("torus", sample::torus(radii[0], radii[1], v.count("around"), v.count("across")))
        },
    },
    Recipe {
        name: "rectangle-torus",
        about: "The torus of 300 rectangles",
        options: &[],
        build: |_| Ok(vec![part("rectangle-torus", sample::rectangle_torus().to_soup())]),
    },
    Recipe {
        name: "bumpy-sphere",
        about: "A sphere with bumps, not convex",
        options: &[
            number("radius", "1", "Middle radius"),
            number("amplitude", "0.15", "Share of the radius that bumps go up and down"),
            whole("waves", "8", "Bumps around"),
            whole("frequency", "32", "Parts per edge of the icosahedron, 1 to 512 (20 n^2 triangles)"),
        ],
        build: |v| {
            let soup = sample::bumpy_sphere(
                v.number("radius"),
                v.number("amplitude"),
                v.count("waves"),
                v.count("frequency"),
            );
            one("bumpy-sphere", soup)
        },
    },
    Recipe {
        name: "car",
        about: "The car of 12 flat faces and 16 vertices",
        options: &[],
        build: |_| Ok(vec![part("car", sample::car().to_soup())]),
    },
    Recipe {
        name: "gear",
        about: "A spur gear with involute teeth and a bore",
        options: &[
            whole("teeth", "20", "Number of teeth, 6 to 1000"),
            number("module", "2", "Pitch diameter per tooth"),
            number("width", "10", "Extent along z"),
            number("bore-radius", "5", "Radius of the bore"),
            number("backlash", "0.1", "How much thinner a tooth is than half the pitch"),
            whole("flank-points", "6", "Points per flank"),
        ],
        build: |v| {
            let config = GearConfig {
                teeth: v.count("teeth"),
                module: v.number("module"),
                width: v.number("width"),
                bore_radius: v.number("bore-radius"),
                backlash: v.number("backlash"),
                flank_points: v.count("flank-points"),
            };
            one("gear", sample::gear(&config))
        },
    },
    Recipe {
        name: "bolt",
        about: "A hexagon bolt with a real thread",
        options: THREAD,
        build: |v| one("bolt", sample::bolt(&v.thread())),
    },
    Recipe {
        name: "nut",
        about: "The nut of the bolt",
        options: THREAD,
        build: |v| one("nut", sample::nut(&v.thread())),
    },
    Recipe {
        name: "fastener",
        about: "Bolt and nut, screwed on: two parts",
        options: THREAD,
        build: |v| sample::fastener(&v.thread()).map(Vec::from).map_err(usage),
    },
    Recipe {
        name: "linkage",
        about: "A four-bar linkage with pins: eight parts",
        options: &[
            number("ground", "4", "Length of the bar that rests"),
            number("crank", "1", "Length of the bar that turns"),
            number("coupler", "3.5", "Length of the bar between crank and rocker"),
            number("rocker", "2.5", "Length of the bar that rocks"),
            number("turns", "0.125", "Angle of the crank, in turns"),
        ],
        build: |v| {
            let config = FourBarConfig {
                ground: v.number("ground"),
                crank: v.number("crank"),
                coupler: v.number("coupler"),
                rocker: v.number("rocker"),
                crank_turns: v.number("turns"),
                ..FourBarConfig::default()
            };
            sample::four_bar_linkage(&config).map_err(usage)
        },
    },
    Recipe {
        name: "gearbox",
        about: "A gearbox with six mistakes, in mm: 35 parts",
        options: &[],
        build: |_| sample::gearbox().map_err(usage),
    },
];

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

fn part(name: &str, soup: TriangleSoup) -> SamplePart {
    SamplePart { name: name.into(), soup, pose: Pose::IDENTITY }
}

fn one(name: &str, soup: Result<TriangleSoup, SampleError>) -> Result<Vec<SamplePart>, Failure> {
    Ok(vec![part(name, soup.map_err(usage)?)])
}

fn hull(name: &str, polytope: Result<Polytope, SampleError>) -> Result<Vec<SamplePart>, Failure> {
    one(name, polytope.map(|polytope| polytope.to_soup()))
}

/// The options as given.
pub struct Values<'a>(&'a ArgMatches);

impl Values<'_> {
    // Every option has a default and was checked by the parser, so it is always there.
    fn number(&self, name: &str) -> f64 {
        self.0.get_one(name).copied().unwrap_or_default()
    }

    fn count(&self, name: &str) -> u32 {
        self.0.get_one(name).copied().unwrap_or_default()
    }

    fn word(&self, name: &str) -> &str {
        self.0.get_one::<String>(name).map_or("", String::as_str)
    }

    fn vector(&self, names: [&str; 3]) -> DVec3 {
        DVec3::from_array(names.map(|name| self.number(name)))
    }

    fn thread(&self) -> ThreadConfig {
        ThreadConfig {
            diameter: self.number("diameter"),
            pitch: self.number("pitch"),
            length: self.number("length"),
            segments: self.count("segments"),
            clearance: self.number("clearance"),
        }
    }

    /// The primitive with the rounding asked for, as triangles.
    fn rounded(&self, core: Primitive, name: &str) -> Result<Vec<SamplePart>, Failure> {
        let radius = self.0.try_get_one("rounding").ok().flatten().copied().unwrap_or(0.0);
        let shape: Shape = if radius == 0.0 {
            core.into()
        } else {
            Rounded::new(RoundedCore::from(core), radius).map_err(usage)?.into()
        };
        let soup = tessellate(&shape, Fineness::new(self.count("fineness")));
        let soup = soup.ok_or_else(|| {
            usage(format_args!("the {name} is too large or too small to be cut into triangles"))
        })?;
        Ok(vec![part(name, soup)])
    }
}

/// The shape that was asked for, with its options.
#[derive(Debug)]
pub struct MakeShape {
    recipe: usize,
    matches: ArgMatches,
}

impl MakeShape {
    /// Its name.
    pub fn name(&self) -> &'static str {
        RECIPES[self.recipe].name
    }

    /// Makes it.
    pub fn build(&self) -> Result<Vec<SamplePart>, Failure> {
        (RECIPES[self.recipe].build)(&Values(&self.matches))
    }
}

impl Subcommand for MakeShape {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(RECIPES.iter().map(command_of))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        RECIPES.iter().any(|recipe| recipe.name == name)
    }
}

impl FromArgMatches for MakeShape {
    fn from_arg_matches(matches: &ArgMatches) -> Result<MakeShape, clap::Error> {
        let missing = || clap::Error::raw(clap::error::ErrorKind::MissingSubcommand, "no shape is given\n");
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let recipe = RECIPES.iter().position(|recipe| recipe.name == name).ok_or_else(missing)?;
        Ok(MakeShape { recipe, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = MakeShape::from_arg_matches(matches)?;
        Ok(())
    }
}

fn command_of(recipe: &'static Recipe) -> Command {
    let option = |choice: &'static Choice| {
        let arg = Arg::new(choice.name).long(choice.name).help(choice.help).default_value(choice.default);
        match choice.kind {
            Kind::Number => {
                arg.value_name("NUMBER").allow_hyphen_values(true).value_parser(value_parser!(f64))
            }
            Kind::Count => arg.value_name("COUNT").value_parser(value_parser!(u32)),
            Kind::Word(words) => arg.value_name("KIND").value_parser(words.to_vec()),
        }
    };
    Command::new(recipe.name).about(recipe.about).args(recipe.options.iter().map(option))
}
