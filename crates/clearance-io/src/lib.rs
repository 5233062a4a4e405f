//! Mesh files, scene files and pictures.
