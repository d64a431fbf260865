use super::friction::Frictions;
use super::{Method, MethodError, MethodKind, MethodWork, Solution};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::{Kkt, RowOrder};
use crate::model::Space;
use crate::system::{NotFinite, RowOwner, State, System, Workspace};

/// The augmented system: accelerations and multipliers from one symmetric sparse factorisation, constraints imposed at
/// acceleration level only.
///
/// ```text
/// ⎡ M   Gᵀ ⎤ ⎡ v̇ ⎤   ⎡ f ⎤
/// ⎣ G   0  ⎦ ⎣ λ ⎦ = ⎣ γ ⎦
/// ```
///
/// Small errors in positions and velocities add up as drift; [`super::Projection`] takes them out. Rows found redundant
/// at the start are left out (their multiplier is zero); rows that become dependent on the way, at a singular pose, are skipped there.
#[derive(Clone, Debug)]
pub struct Augmented {
    pub(super) kkt: Kkt,
    pub(super) active: Vec<bool>,
    /// G without the rows left out.
    pub(super) jacobian: Vec<f64>,
    frictions: Frictions,
    pub(super) work: MethodWork,
}

impl Augmented {
    /// Copies G from `ws`, without the rows left out.
    pub(super) fn take_jacobian(&mut self, system: &dyn System, ws: &Workspace) {
        self.jacobian.copy_from_slice(&ws.jacobian);
        let pattern = system.jacobian_pattern();
        for (i, active) in self.active.iter().enumerate() {
            if !active {
                self.jacobian[pattern.range(i)].fill(0.0);
            }
        }
    }
}

impl MethodKind for Augmented {
    const INFO: Info = Info {
        name: "augmented",
        aliases: &["lagrange"],
        summary: "accelerations and multipliers together, constraints at acceleration level",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };

    fn build(
        _: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Self, ArgumentError> {
        // rows of one element belong together
        let mut groups: Vec<usize> = Vec::with_capacity(system.rows().len());
        let mut last: Option<RowOwner> = None;
        for label in system.rows() {
            let group = groups.last().map_or(0, |g| g + usize::from(last != Some(label.owner)));
            groups.push(group);
            last = Some(label.owner);
        }
        let kkt = Kkt::new(
            system.sizes().velocities,
            system.mass_pattern(),
            system.jacobian_pattern(),
            &groups,
            RowOrder::LeastFill,
        );
        Ok(Augmented {
            kkt,
            active: active.to_vec(),
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            frictions: Frictions::new(system),
            work: MethodWork::default(),
        })
    }
}

impl Method for Augmented {
    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        system.mass(ws);
        system.forces(ws)?;
        system.constraints(ws);
        self.take_jacobian(system, ws);
        self.kkt.factor(&ws.mass, &self.jacobian);
        self.work.factorizations += 1;
        let left_out = self.active.iter().filter(|a| !**a).count();
        self.work.singular += u64::from(self.kkt.num_dependent() > left_out);

        out.rates.copy_from_slice(&ws.force);
        for (i, active) in self.active.iter().enumerate() {
            out.multipliers[i] = if *active { ws.gamma[i] } else { 0.0 };
        }
        self.kkt.solve(&ws.mass, &self.jacobian, &mut out.rates, &mut out.multipliers);

        out.power.copy_from_slice(&ws.power);
        if !self.frictions.is_empty() {
            self.frictions.apply(system, ws, &mut self.kkt, &self.jacobian, out)?;
        }
        if !out.rates.iter().sum::<f64>().is_finite() {
            return Err(MethodError::NotFinite(NotFinite {
                element: "the acceleration".to_owned(),
                time: ws.kinematics.time,
                advice: "the motion has grown without bound; a smaller step or tolerance may help",
            }));
        }
        // a driver delivers −λ ḟ; drift holds −ḟ
        let drivers = system.model().drivers.len();
        let (rows, works) = (out.multipliers.len(), out.power.len());
        for d in 0..drivers {
            let row = rows - drivers + d;
            out.power[works - drivers + d] = out.multipliers[row] * ws.drift[row];
        }
        Ok(())
    }

    fn correct(
        &mut self,
        _: &dyn System,
        _: &mut Workspace,
        _: &mut State,
    ) -> Result<bool, MethodError> {
        Ok(false)
    }

    fn work(&self) -> MethodWork {
        self.work
    }
}
