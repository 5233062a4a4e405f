//! Development commands.
fn main() {
    println!("see later");
}
