//! A table of results, printed and stored as Markdown.

/// Rows of text under a title; one experiment gives one or several.
pub struct Table {
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    plots: Vec<(String, String)>,
}

impl Table {
    /// An empty table.
    pub fn new(title: &str, columns: &[&str]) -> Table {
        Table::with_columns(title, columns.iter().map(|c| c.to_string()).collect())
    }

    /// An empty table whose columns are not known beforehand.
    pub fn with_columns(title: &str, columns: Vec<String>) -> Table {
        Table { title: title.into(), columns, rows: Vec::new(), plots: Vec::new() }
    }

    /// Adds a row; there must be one cell per column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        assert_eq!(
            cells.len(),
            self.columns.len(),
            "a row of `{}` has the wrong number of cells",
            self.title
        );
        self.rows.push(cells);
    }

    /// Adds a plot under a file name; `lab EXPERIMENT FOLDER` writes it.
    pub fn attach(&mut self, file: &str, svg: String) {
        self.plots.push((file.to_string(), svg));
    }

    /// The plots that belong to the table: file names and SVG texts.
    pub fn plots(&self) -> &[(String, String)] {
        &self.plots
    }

    /// The table with aligned columns.
    pub fn to_markdown(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|c| {
                self.rows
                    .iter()
                    .map(|r| r[c].chars().count())
                    .chain([self.columns[c].chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> =
                cells.iter().zip(&widths).map(|(c, w)| format!("{c:<w$}", w = *w)).collect();
            format!("| {} |\n", padded.join(" | "))
        };
        let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
        let body: String = self.rows.iter().map(|r| line(r)).collect();
        format!("### {}\n\n{}{}{}", self.title, line(&self.columns), line(&rule), body)
    }
}
