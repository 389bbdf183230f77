// Written by tools/parameters.py. Enumerators of C++ have the values of those of C.
#include "core/context.hpp"
#include "core/error.hpp"
#include "dfr/basis_files.hpp"
#include "dfr/basis_sets.hpp"
#include "dfr/grouped_basis.hpp"
#include "dfr/levels.hpp"
#include "dfr/optimiser.hpp"
#include "dfr/problem.hpp"
#include "dfr/reducer.hpp"
#include "dfr/result.hpp"
#include "fss/result.hpp"
#include "ising/reweighting.hpp"
#include "kpm/expansion.hpp"
#include "kpm/lattice.hpp"
#include "kpm/spectrum.hpp"
#include "legato/legato.h"
#include "tmm/building_blocks.hpp"
#include "tmm/result.hpp"
#include "vmc/optimiser.hpp"
#include "vmc/pair_function.hpp"
#include "vmc/result.hpp"

namespace legato {

static_assert(static_cast<int>(Backend::auto_) == LEGATO_BACKEND_AUTO);
static_assert(static_cast<int>(Backend::cpu) == LEGATO_BACKEND_CPU);
static_assert(static_cast<int>(Backend::cuda) == LEGATO_BACKEND_CUDA);

static_assert(static_cast<int>(LogLevel::silent) == LEGATO_LOG_LEVEL_SILENT);
static_assert(static_cast<int>(LogLevel::error) == LEGATO_LOG_LEVEL_ERROR);
static_assert(static_cast<int>(LogLevel::warning) == LEGATO_LOG_LEVEL_WARNING);
static_assert(static_cast<int>(LogLevel::info) == LEGATO_LOG_LEVEL_INFO);
static_assert(static_cast<int>(LogLevel::debug) == LEGATO_LOG_LEVEL_DEBUG);

static_assert(static_cast<int>(Status::success) == LEGATO_STATUS_SUCCESS);
static_assert(static_cast<int>(Status::invalid_argument) == LEGATO_STATUS_INVALID_ARGUMENT);
static_assert(static_cast<int>(Status::out_of_memory) == LEGATO_STATUS_OUT_OF_MEMORY);
static_assert(static_cast<int>(Status::no_device) == LEGATO_STATUS_NO_DEVICE);
static_assert(static_cast<int>(Status::device_error) == LEGATO_STATUS_DEVICE_ERROR);
static_assert(static_cast<int>(Status::io_error) == LEGATO_STATUS_IO_ERROR);
static_assert(static_cast<int>(Status::bad_file) == LEGATO_STATUS_BAD_FILE);
static_assert(static_cast<int>(Status::cancelled) == LEGATO_STATUS_CANCELLED);
static_assert(static_cast<int>(Status::numerical_error) == LEGATO_STATUS_NUMERICAL_ERROR);
static_assert(static_cast<int>(Status::internal_error) == LEGATO_STATUS_INTERNAL_ERROR);
static_assert(static_cast<int>(Status::precision_lost) == LEGATO_STATUS_PRECISION_LOST);
static_assert(static_cast<int>(Status::communication_error) == LEGATO_STATUS_COMMUNICATION_ERROR);

static_assert(static_cast<int>(tmm::Layout::site_first) == LEGATO_TMM_LAYOUT_SITE_FIRST);
static_assert(static_cast<int>(tmm::Layout::state_first) == LEGATO_TMM_LAYOUT_STATE_FIRST);

static_assert(static_cast<int>(tmm::PointStatus::waiting) == LEGATO_TMM_POINT_STATUS_WAITING);
static_assert(static_cast<int>(tmm::PointStatus::running) == LEGATO_TMM_POINT_STATUS_RUNNING);
static_assert(static_cast<int>(tmm::PointStatus::converged) == LEGATO_TMM_POINT_STATUS_CONVERGED);
static_assert(static_cast<int>(tmm::PointStatus::not_converged) == LEGATO_TMM_POINT_STATUS_NOT_CONVERGED);
static_assert(static_cast<int>(tmm::PointStatus::failed) == LEGATO_TMM_POINT_STATUS_FAILED);
static_assert(static_cast<int>(tmm::PointStatus::imprecise) == LEGATO_TMM_POINT_STATUS_IMPRECISE);

static_assert(static_cast<int>(kpm::Boundary::hard_wall) == LEGATO_KPM_BOUNDARY_HARD_WALL);
static_assert(static_cast<int>(kpm::Boundary::periodic) == LEGATO_KPM_BOUNDARY_PERIODIC);

static_assert(static_cast<int>(kpm::FunctionKind::evolution) == LEGATO_KPM_FUNCTION_KIND_EVOLUTION);
static_assert(static_cast<int>(kpm::FunctionKind::boltzmann) == LEGATO_KPM_FUNCTION_KIND_BOLTZMANN);
static_assert(static_cast<int>(kpm::FunctionKind::fermi) == LEGATO_KPM_FUNCTION_KIND_FERMI);
static_assert(static_cast<int>(kpm::FunctionKind::step) == LEGATO_KPM_FUNCTION_KIND_STEP);
static_assert(static_cast<int>(kpm::FunctionKind::gaussian) == LEGATO_KPM_FUNCTION_KIND_GAUSSIAN);
static_assert(static_cast<int>(kpm::FunctionKind::square_root) == LEGATO_KPM_FUNCTION_KIND_SQUARE_ROOT);
static_assert(static_cast<int>(kpm::FunctionKind::resolvent) == LEGATO_KPM_FUNCTION_KIND_RESOLVENT);

static_assert(static_cast<int>(kpm::Kernel::jackson) == LEGATO_KPM_KERNEL_JACKSON);
static_assert(static_cast<int>(kpm::Kernel::lorentz) == LEGATO_KPM_KERNEL_LORENTZ);
static_assert(static_cast<int>(kpm::Kernel::fejer) == LEGATO_KPM_KERNEL_FEJER);
static_assert(static_cast<int>(kpm::Kernel::dirichlet) == LEGATO_KPM_KERNEL_DIRICHLET);

static_assert(static_cast<int>(kpm::OnSite::constant) == LEGATO_KPM_ON_SITE_CONSTANT);
static_assert(static_cast<int>(kpm::OnSite::box) == LEGATO_KPM_ON_SITE_BOX);
static_assert(static_cast<int>(kpm::OnSite::normal) == LEGATO_KPM_ON_SITE_NORMAL);
static_assert(static_cast<int>(kpm::OnSite::energies) == LEGATO_KPM_ON_SITE_ENERGIES);
static_assert(static_cast<int>(kpm::OnSite::binary) == LEGATO_KPM_ON_SITE_BINARY);

static_assert(static_cast<int>(dfr::AtomStatus::waiting) == LEGATO_DFR_ATOM_STATUS_WAITING);
static_assert(static_cast<int>(dfr::AtomStatus::running) == LEGATO_DFR_ATOM_STATUS_RUNNING);
static_assert(static_cast<int>(dfr::AtomStatus::converged) == LEGATO_DFR_ATOM_STATUS_CONVERGED);
static_assert(static_cast<int>(dfr::AtomStatus::not_converged) == LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED);
static_assert(static_cast<int>(dfr::AtomStatus::failed) == LEGATO_DFR_ATOM_STATUS_FAILED);
static_assert(static_cast<int>(dfr::AtomStatus::collapsed) == LEGATO_DFR_ATOM_STATUS_COLLAPSED);
static_assert(static_cast<int>(dfr::AtomStatus::unbound) == LEGATO_DFR_ATOM_STATUS_UNBOUND);
static_assert(static_cast<int>(dfr::AtomStatus::not_compared) == LEGATO_DFR_ATOM_STATUS_NOT_COMPARED);

static_assert(static_cast<int>(dfr::BasisFormat::bse_json) == LEGATO_DFR_BASIS_FORMAT_BSE_JSON);
static_assert(static_cast<int>(dfr::BasisFormat::nwchem) == LEGATO_DFR_BASIS_FORMAT_NWCHEM);
static_assert(static_cast<int>(dfr::BasisFormat::gaussian94) == LEGATO_DFR_BASIS_FORMAT_GAUSSIAN94);
static_assert(static_cast<int>(dfr::BasisFormat::dirac) == LEGATO_DFR_BASIS_FORMAT_DIRAC);

static_assert(static_cast<int>(dfr::Contraction::j_adapted) == LEGATO_DFR_CONTRACTION_J_ADAPTED);
static_assert(static_cast<int>(dfr::Contraction::l_averaged) == LEGATO_DFR_CONTRACTION_L_AVERAGED);

static_assert(static_cast<int>(dfr::EnergyKind::good) == LEGATO_DFR_ENERGY_KIND_GOOD);
static_assert(static_cast<int>(dfr::EnergyKind::not_converged) == LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED);
static_assert(static_cast<int>(dfr::EnergyKind::failed) == LEGATO_DFR_ENERGY_KIND_FAILED);
static_assert(static_cast<int>(dfr::EnergyKind::collapsed) == LEGATO_DFR_ENERGY_KIND_COLLAPSED);

static_assert(static_cast<int>(dfr::LevelSpace::relativistic) == LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC);
static_assert(static_cast<int>(dfr::LevelSpace::nonrelativistic) == LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC);

static_assert(static_cast<int>(dfr::NuclearModel::point) == LEGATO_DFR_NUCLEAR_MODEL_POINT);
static_assert(static_cast<int>(dfr::NuclearModel::sphere) == LEGATO_DFR_NUCLEAR_MODEL_SPHERE);
static_assert(static_cast<int>(dfr::NuclearModel::gaussian) == LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN);
static_assert(static_cast<int>(dfr::NuclearModel::fermi) == LEGATO_DFR_NUCLEAR_MODEL_FERMI);

static_assert(static_cast<int>(dfr::GroupForm::well_tempered) == LEGATO_DFR_GROUP_FORM_WELL_TEMPERED);
static_assert(static_cast<int>(dfr::GroupForm::even_tempered) == LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED);
static_assert(static_cast<int>(dfr::GroupForm::free) == LEGATO_DFR_GROUP_FORM_FREE);

static_assert(static_cast<int>(dfr::OptimiserStatus::waiting) == LEGATO_DFR_OPTIMISER_STATUS_WAITING);
static_assert(static_cast<int>(dfr::OptimiserStatus::running) == LEGATO_DFR_OPTIMISER_STATUS_RUNNING);
static_assert(static_cast<int>(dfr::OptimiserStatus::converged) == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED);
static_assert(static_cast<int>(dfr::OptimiserStatus::not_converged) == LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED);
static_assert(static_cast<int>(dfr::OptimiserStatus::failed) == LEGATO_DFR_OPTIMISER_STATUS_FAILED);

static_assert(static_cast<int>(dfr::StageKind::whole) == LEGATO_DFR_STAGE_KIND_WHOLE);
static_assert(static_cast<int>(dfr::StageKind::last) == LEGATO_DFR_STAGE_KIND_LAST);
static_assert(static_cast<int>(dfr::StageKind::first) == LEGATO_DFR_STAGE_KIND_FIRST);

static_assert(static_cast<int>(fss::FitStatus::waiting) == LEGATO_FSS_FIT_STATUS_WAITING);
static_assert(static_cast<int>(fss::FitStatus::converged) == LEGATO_FSS_FIT_STATUS_CONVERGED);
static_assert(static_cast<int>(fss::FitStatus::undetermined) == LEGATO_FSS_FIT_STATUS_UNDETERMINED);
static_assert(static_cast<int>(fss::FitStatus::not_converged) == LEGATO_FSS_FIT_STATUS_NOT_CONVERGED);

static_assert(static_cast<int>(ising::ReweightingQuantity::specific_heat) ==
              LEGATO_ISING_REWEIGHTING_QUANTITY_SPECIFIC_HEAT);
static_assert(static_cast<int>(ising::ReweightingQuantity::susceptibility) ==
              LEGATO_ISING_REWEIGHTING_QUANTITY_SUSCEPTIBILITY);
static_assert(static_cast<int>(ising::ReweightingQuantity::binder) == LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER);
static_assert(static_cast<int>(ising::ReweightingQuantity::binder_slope) ==
              LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER_SLOPE);
static_assert(static_cast<int>(ising::ReweightingQuantity::magnetisation_slope) ==
              LEGATO_ISING_REWEIGHTING_QUANTITY_MAGNETISATION_SLOPE);

static_assert(static_cast<int>(vmc::Observable::energy) == LEGATO_VMC_OBSERVABLE_ENERGY);
static_assert(static_cast<int>(vmc::Observable::kinetic_up) == LEGATO_VMC_OBSERVABLE_KINETIC_UP);
static_assert(static_cast<int>(vmc::Observable::kinetic_down) == LEGATO_VMC_OBSERVABLE_KINETIC_DOWN);
static_assert(static_cast<int>(vmc::Observable::exchange) == LEGATO_VMC_OBSERVABLE_EXCHANGE);
static_assert(static_cast<int>(vmc::Observable::spin_spin) == LEGATO_VMC_OBSERVABLE_SPIN_SPIN);
static_assert(static_cast<int>(vmc::Observable::density_density) == LEGATO_VMC_OBSERVABLE_DENSITY_DENSITY);
static_assert(static_cast<int>(vmc::Observable::energy_squared) == LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED);

static_assert(static_cast<int>(vmc::Parameter::delta) == LEGATO_VMC_PARAMETER_DELTA);
static_assert(static_cast<int>(vmc::Parameter::mu) == LEGATO_VMC_PARAMETER_MU);
static_assert(static_cast<int>(vmc::Parameter::t_prime) == LEGATO_VMC_PARAMETER_T_PRIME);
static_assert(static_cast<int>(vmc::Parameter::t_double_prime) == LEGATO_VMC_PARAMETER_T_DOUBLE_PRIME);

static_assert(static_cast<int>(vmc::Stage::descent) == LEGATO_VMC_STAGE_DESCENT);
static_assert(static_cast<int>(vmc::Stage::survey) == LEGATO_VMC_STAGE_SURVEY);
static_assert(static_cast<int>(vmc::Stage::refinement) == LEGATO_VMC_STAGE_REFINEMENT);

}  // namespace legato
