//! With the feature `rivals-cpp`: compiles a shim for each rival library that is installed, and says which are.

fn main() {
    for name in ["bullet", "ccd", "fcl", "coal", "mujoco", "jolt"] {
        println!("cargo::rustc-check-cfg=cfg(rival_{name})");
    }
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "rivals-cpp")]
    shims::build();
}

#[cfg(feature = "rivals-cpp")]
mod shims {
    use std::path::{Path, PathBuf};

    /// Where `cargo xtask rivals` puts what is no package of the system.
    fn rivals() -> PathBuf {
        println!("cargo::rerun-if-env-changed=CLEARANCE_RIVALS");
        let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rivals");
        std::env::var_os("CLEARANCE_RIVALS").map_or(default, PathBuf::from)
    }

    fn python_packages() -> Option<PathBuf> {
        let found = std::fs::read_dir(rivals().join("lib")).ok()?.flatten();
        found.map(|python| python.path().join("site-packages")).find(|packages| packages.is_dir())
    }

    /// What Jolt's own build tells the compiler; headers and library must agree.
    const JOLT_FLAGS: &[&str] =
        &["-mavx2", "-mbmi", "-mpopcnt", "-mlzcnt", "-mf16c", "-mfma", "-mfpmath=sse", "-ffp-contract=off"];
    const JOLT_DEFINES: &[&str] = &[
        "JPH_USE_AVX2",
        "JPH_USE_AVX",
        "JPH_USE_SSE4_1",
        "JPH_USE_SSE4_2",
        "JPH_USE_LZCNT",
        "JPH_USE_TZCNT",
        "JPH_USE_F16C",
        "JPH_USE_FMADD",
    ];

    /// Compiles what is there. A library that is absent or does not compile is left out; the tables say so.
    pub fn build() {
        let system = Path::new("/usr/include");
        let shim = |name: &str| Shim::new(name);
        shim("ccd").needs(system.join("ccd/ccd.h")).links("ccd").build();
        shim("fcl")
            .needs(system.join("fcl/fcl.h"))
            .includes(system.join("eigen3"))
            .links("fcl")
            .links("ccd")
            .build();
        shim("bullet")
            .needs(system.join("bullet/btBulletCollisionCommon.h"))
            .includes(system.join("bullet"))
            .links("BulletCollision")
            .links("LinearMath")
            .build();
        let jolt = rivals().join("jolt");
        let headers = PathBuf::from(std::fs::read_to_string(jolt.join("headers.txt")).unwrap_or_default());
        shim("jolt")
            .needs(headers.join("Jolt/Jolt.h"))
            .includes(headers)
            .finds(jolt.join("build"))
            .links("static=Jolt")
            .flags(JOLT_FLAGS)
            .defines(JOLT_DEFINES)
            .build();
        let Some(packages) = python_packages() else { return };
        let prefix = packages.join("cmeel.prefix");
        shim("coal")
            .needs(prefix.join("include/coal/collision.h"))
            .includes(prefix.join("include"))
            .includes(prefix.join("include/eigen3"))
            .finds(prefix.join("lib"))
            .links("coal")
            .build();
        let mujoco = packages.join("mujoco");
        if let Some(library) = mujoco_library(&mujoco) {
            shim("mujoco")
                .needs(mujoco.join("include/mujoco/mujoco.h"))
                .includes(mujoco.join("include"))
                .finds(mujoco)
                .links(&library)
                .build();
        }
    }

    /// The library's file name carries its version: `libmujoco.so.4.0.0`.
    fn mujoco_library(folder: &Path) -> Option<String> {
        let names =
            std::fs::read_dir(folder).ok()?.flatten().filter_map(|f| f.file_name().into_string().ok());
        names.filter(|name| name.starts_with("libmujoco.so")).max()
    }

    struct Shim {
        name: String,
        header: PathBuf,
        includes: Vec<PathBuf>,
        folders: Vec<PathBuf>,
        libraries: Vec<String>,
        flags: &'static [&'static str],
        defines: &'static [&'static str],
    }

    impl Shim {
        fn new(name: &str) -> Shim {
            let (includes, folders, libraries) = (Vec::new(), Vec::new(), Vec::new());
            let header = PathBuf::new();
            Shim { name: name.into(), header, includes, folders, libraries, flags: &[], defines: &[] }
        }

        fn needs(self, header: PathBuf) -> Shim {
            Shim { header, ..self }
        }

        fn includes(mut self, folder: PathBuf) -> Shim {
            self.includes.push(folder);
            self
        }

        fn finds(mut self, folder: PathBuf) -> Shim {
            self.folders.push(folder);
            self
        }

        /// A shared library, or with `static=` before its name one that is linked in.
        fn links(mut self, library: &str) -> Shim {
            self.libraries.push(library.into());
            self
        }

        fn flags(self, flags: &'static [&'static str]) -> Shim {
            Shim { flags, ..self }
        }

        fn defines(self, defines: &'static [&'static str]) -> Shim {
            Shim { defines, ..self }
        }

        fn build(self) {
            // Convex bodies; some libraries know meshes and many bodies, too.
            let files = ["", "_mesh", "_broad", "_world"].map(|what| format!("cpp/{}{what}.cpp", self.name));
            let sources: Vec<&String> = files.iter().filter(|file| Path::new(file).exists()).collect();
            println!("cargo::rerun-if-changed=cpp");
            println!("cargo::rerun-if-changed={}", self.header.display());
            if !self.header.exists() {
                return;
            }
            let mut build = cc::Build::new();
            build.cpp(true).std("c++17").opt_level(3).define("NDEBUG", None).files(sources);
            // As system folders, so that warnings in their headers are not ours.
            self.includes.iter().for_each(|folder| _ = build.flag("-isystem").flag(folder));
            self.flags.iter().for_each(|flag| _ = build.flag(flag));
            self.defines.iter().for_each(|name| _ = build.define(name, None));
            if let Err(error) = build.try_compile(&format!("rival_{}", self.name)) {
                println!("cargo::warning={} is installed, but its shim does not compile: {error}", self.name);
                return;
            }
            for folder in &self.folders {
                println!("cargo::rustc-link-search=native={}", folder.display());
                println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
            }
            for library in &self.libraries {
                let verbatim = if library.contains(".so") { ":+verbatim" } else { "" };
                let kind = if library.contains('=') { "" } else { &format!("dylib{verbatim}=") };
                println!("cargo::rustc-link-lib={kind}{library}");
            }
            println!("cargo::rustc-cfg=rival_{}", self.name);
        }
    }
}
