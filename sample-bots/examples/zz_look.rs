#![allow(warnings, clippy::all)]
use leyden_protocol::*;
use leyden_rules::*;
use leyden_sample_bots::table::*;
use leyden_sample_bots::*;
struct L<'a> { inner: Box<dyn Strategy>, f: &'a mut dyn FnMut(&Turn<'_>, Action) }
unsafe impl Send for L<'_> {}
impl Strategy for L<'_> {
    fn begin(&mut self, r: &Rules, s: u64) { self.inner.begin(r, s) }
    fn choose(&mut self, t: &Turn<'_>) -> Action { let a = self.inner.choose(t); (self.f)(t, a); a }
}
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let rules = Rules::standard(RulesName::Matador);
    let (mut reg, mut regm, mut cnt, mut failed, mut sum) = (0.0, 0.0, 0, 0, 0);
    let mut nodes = Vec::new();
    let mut all = 0;
    let mut mc = strategy("montecarlo", &["--playouts", "500"]).unwrap();
    mc.begin(&rules, 7);
    for seed in 0..n {
        let mut f = |t: &Turn<'_>, act: Action| {
            all += 1;
            if let Some((v, k)) = strong::exact(&rules, t) {
                nodes.push(k);
                if v.iter().any(|v| v.1 < 0.0) { failed += 1; return; }
                let best = v.iter().map(|v| v.1).fold(0.0f32, f32::max);
                let of = |a: Action| v.iter().find(|v| v.0 == a).unwrap().1;
                reg += best - of(act);
                regm += best - of(mc.choose(t));
                cnt += 1;
            }
        };
        let mut a = L { inner: strategy("strong", &["--playouts", "200"]).unwrap(), f: &mut f };
        let mut b = strategy("montecarlo", &["--playouts", "200"]).unwrap();
        play_match(&rules, &mut [&mut a, &mut *b], &[seed, 1], |k| shuffled(&rules, 77777 + seed, k));
    }
    nodes.sort();
    println!("strong's decisions {all} in {n} matches; at 0: {cnt}, failed {failed}");
    println!("regret a decision there: strong {:.4}, montecarlo {:.4}; a match {:.4} {:.4}", reg / cnt as f32, regm / cnt as f32, reg / n as f32, regm / n as f32);
    for q in [0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0] { println!("nodes {q}: {}", nodes[((nodes.len() - 1) as f64 * q) as usize]); }
}
