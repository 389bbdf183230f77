/** @file
 * All of Legato's C interface. */
#ifndef LEGATO_LEGATO_H
#define LEGATO_LEGATO_H

#include <legato/communicator.h>
#include <legato/context.h>
#include <legato/dfr.h>
#include <legato/dfr_atoms.h>
#include <legato/dfr_basis_sets.h>
#include <legato/dfr_optimiser.h>
#include <legato/dfr_pruner.h>
#include <legato/dfr_reducer.h>
#include <legato/dfr_steps.h>
#include <legato/fss.h>
#include <legato/ising.h>
#include <legato/ising_reweighting.h>
#include <legato/kpm.h>
#include <legato/kpm_conductivity.h>
#include <legato/kpm_correlation.h>
#include <legato/kpm_function.h>
#include <legato/kpm_green.h>
#include <legato/kpm_hamiltonian.h>
#include <legato/kpm_local.h>
#include <legato/tmm.h>
#include <legato/tmm_steps.h>
#include <legato/types.h>
#include <legato/vmc.h>
#include <legato/vmc_optimiser.h>

#endif
