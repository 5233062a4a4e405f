//! `clearance clash`: checks an assembly and writes what was found.

use crate::{
    args::ClashArguments,
    clash::{
        OutputFormat,
        baseline::Baseline,
        check::{CheckOptions, check, estimate},
        model::{Settings, Verdict as PairVerdict},
        output::{Extent, Outputs, bytes, table},
        parts::{Assembly, load},
        report::{Reported, report},
        rules::{AskedLengths, Rules, RulesFile},
    },
    interrupt,
    output::{self, Failure, Verdict, count, counted, print_warning, short, strong},
};
use clearance_io::LengthUnit;
use std::path::PathBuf;

pub fn run(arguments: &ClashArguments) -> Result<Verdict, Failure> {
    let mut settings = settings(arguments)?;
    let outputs = Outputs::plan(&arguments.output, &arguments.files)?;
    let rules_file = arguments.rules.as_deref().map(RulesFile::read).transpose()?;
    let baseline = arguments.baseline.as_deref().map(Baseline::read).transpose()?;
    let assembly = load(&arguments.files, &arguments.read, arguments.keep_going)?;
    let lengths =
        AskedLengths { clearance: arguments.clearance.clone(), tolerance: arguments.tolerance.clone() };
    let rules = Rules::new(rules_file.as_ref(), &lengths, &assembly)?;
    rules.warnings.iter().for_each(|warning| print_warning(warning));
    (settings.clearance, settings.tolerance) = (rules.clearance, rules.tolerance);
    let accepts = |verdict: PairVerdict| settings.lists(verdict) || rules.may_accept(verdict);
    let options = CheckOptions {
        reach: rules.reach(),
        list_touching: [PairVerdict::Touching, PairVerdict::TouchingWithinTolerance].into_iter().any(accepts),
        volume: arguments.volume,
        threads: arguments.threads.map(usize::from),
    };
    let rule_of = |i: usize, j: usize| rules.rule_of(i, j);
    if arguments.dry_run {
        print_estimate(&assembly, &rules, estimate(&assembly, &rule_of, &options));
        return Ok(Verdict::Fine);
    }
    interrupt::end_in_order();
    let mut checked = check(&assembly, &rule_of, &options);
    checked.pairs = rules.pair_count().unwrap_or(checked.pairs);
    let reported = report(&assembly, &rules, checked, settings, baseline.as_ref());
    if !reported.report.interrupted {
        rules.idle(&reported.report.accepted).iter().for_each(|remark| print_warning(remark));
    }
    write(&reported, &assembly, &outputs, arguments)?;
    print(&reported, &assembly, &outputs, arguments)?;
    Ok(conclude(&reported, baseline.as_ref()))
}

fn settings(arguments: &ClashArguments) -> Result<Settings, Failure> {
    let name = |file: &Option<PathBuf>| file.as_ref().map(|file| file.display().to_string());
    let mut settings = Settings {
        report_touching: arguments.report_touching,
        volume: arguments.volume,
        rules: name(&arguments.rules),
        baseline: name(&arguments.baseline),
        ..Settings::default()
    };
    settings.set_fail_on(&arguments.fail_on)?;
    Ok(settings)
}

fn print_estimate(assembly: &Assembly, rules: &Rules<'_>, estimate: crate::clash::check::Estimate) {
    let unit = output::unit_name(assembly.unit);
    let parts = counted(assembly.parts.len(), "part");
    let pairs = counted(estimate.candidates as usize, "pair");
    let memory = estimate.bytes.div_ceil(1_000_000);
    output::print(&format!(
        "{}  {parts}, largest clearance {} {unit}\n\
         {pairs} near enough to look at, about {} MB of memory; nothing was done (--dry-run)\n",
        strong(&assembly.title),
        short(rules.reach()),
        count(memory as usize),
    ));
    for skipped in &assembly.skipped {
        print_warning(&format!("skipped {}", skipped.error));
    }
}

fn write(
    reported: &Reported,
    assembly: &Assembly,
    outputs: &Outputs,
    arguments: &ClashArguments,
) -> Result<(), Failure> {
    for (file, format) in &outputs.0 {
        if let Some(bytes) = bytes(*format, reported, assembly, arguments.html_size)? {
            std::fs::write(file, &bytes).map_err(|error| {
                Failure::input(format_args!("{}: cannot be written: {error}", file.display()))
            })?;
            if *format == OutputFormat::Html && bytes.len() as u64 > arguments.html_size {
                let size = count(bytes.len().div_ceil(1_000_000));
                print_warning(&format!(
                    "{}: the findings alone make {size} MB, more than --html-size",
                    file.display()
                ));
            }
        }
    }
    Ok(())
}

fn print(
    reported: &Reported,
    assembly: &Assembly,
    outputs: &Outputs,
    arguments: &ClashArguments,
) -> Result<(), Failure> {
    let format = if arguments.json { OutputFormat::Json } else { arguments.format };
    if format != OutputFormat::Table {
        let text = bytes(format, reported, assembly, arguments.html_size)?.unwrap_or_default();
        output::print(&String::from_utf8_lossy(&text));
        return Ok(());
    }
    let mut text = table(&reported.report, Extent::Screen);
    let written = outputs.0.iter().map(|(file, format)| match format {
        OutputFormat::Html => format!("{} written: open it in a browser\n", file.display()),
        _ => format!("{} written\n", file.display()),
    });
    let written: String = written.collect();
    if !written.is_empty() {
        text.push('\n');
    } else if !reported.report.findings.is_empty() {
        text += &output::faint(
            "\n-o report.html shows them in 3-D, -o report.json is a baseline for the next run\n",
        );
    }
    output::print(&(text + &written));
    Ok(())
}

fn conclude(reported: &Reported, baseline: Option<&Baseline>) -> Verdict {
    let report = &reported.report;
    if report.unit.is_none() && (report.settings.clearance > 0.0 || report.settings.tolerance > 0.0) {
        let known = LengthUnit::ALL.map(LengthUnit::symbol).join(", ");
        print_warning(&format!(
            "no file states a unit, so lengths are in that of the coordinates; --unit ({known}) states it"
        ));
    }
    if report.parts.len() < 2 {
        let parts = counted(report.parts.len(), "part");
        print_warning(&format!("{parts}: there is no pair to check"));
    }
    if baseline.is_some_and(|baseline| baseline.interrupted) {
        print_warning(
            "the baseline was interrupted: findings may look new that were only not looked at then",
        );
    }
    if report.interrupted {
        let done = count((report.summary.candidates - report.summary.unchecked) as usize);
        let all = count(report.summary.candidates as usize);
        print_warning(&format!("interrupted after {done} of {all} pairs; what was done until then is kept"));
        return Verdict::CutShort;
    }
    let failing = report.findings.iter().filter(|finding| report.settings.fails(finding)).count();
    if failing > 0 {
        return Verdict::Found;
    }
    if report.skipped.is_empty() { Verdict::Fine } else { Verdict::BadInput }
}
