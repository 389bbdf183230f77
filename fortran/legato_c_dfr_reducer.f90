! Written by tools/fortran_interfaces.py from capi/include/legato/dfr_reducer.h. Change that instead.
module legato_c_dfr_reducer
   use legato_c_dfr_optimiser
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Kind of a stage, by what it chooses.
   enum, bind(c)
      enumerator :: LEGATO_DFR_STAGE_KIND_WHOLE = 0  ! the whole set is optimised; there is one such stage
      ! the last functions of an l are removed; function number `chosen` is the last one that remains, and `chosen` is
      ! as small as the accuracy allows
      enumerator :: LEGATO_DFR_STAGE_KIND_LAST = 1
      ! the first functions of an l are removed; function number `chosen` is the first one that remains, and `chosen` is
      ! as large as the accuracy allows
      enumerator :: LEGATO_DFR_STAGE_KIND_FIRST = 2
   end enum

   ! Parameters of a reduction.
   type, bind(c) :: legato_dfr_reducer_params
      integer(c_size_t) :: struct_size  ! Set by legato_dfr_reducer_params_init.
      integer(c_int32_t) :: functions  ! Number of functions of every l at the start. Range [1, 200], default 40.
      integer(c_int32_t) :: reserved  ! Not used.
      ! Largest relative error, (energy - limit) / |limit|, where limit is the limit energy. Range [1e-12, 1], default
      ! 5e-9.
      real(c_double) :: accuracy
      ! Limit energy in hartree, as in legato_dfr_optimiser_add; 0 calculates it. Range [-1e9, 0], default 0.
      real(c_double) :: limit
   end type legato_dfr_reducer_params

   ! Current state of a reduction. Energies are in hartree.
   type, bind(c) :: legato_dfr_reduction
      integer(c_size_t) :: struct_size  ! Set by the caller.
      ! One of legato_dfr_optimiser_status; LEGATO_DFR_OPTIMISER_STATUS_FAILED if even the whole set is not within the
      ! accuracy.
      integer(c_int32_t) :: status
      integer(c_int32_t) :: stages_done  ! Number of finished stages.
      integer(c_int32_t) :: stages  ! Number of all stages, 2 (highest l) + 2.
      integer(c_int32_t) :: reserved  ! Not used.
      ! Energy after the stages so far; 0 before the first stage ends. If the reduction has failed, it is the energy of
      ! the whole set.
      real(c_double) :: energy
      real(c_double) :: limit  ! Limit energy, 0 before it is known.
      real(c_double) :: relative_error  ! (energy - limit) / |limit|; 0 until both are known.
   end type legato_dfr_reduction

   ! A finished stage.
   type, bind(c) :: legato_dfr_stage
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: kind  ! One of legato_dfr_stage_kind.
      integer(c_int32_t) :: l  ! Angular momentum of the large component, from 0.
      integer(c_int32_t) :: chosen  ! Number of the first or last function of l, from 1.
      integer(c_int32_t) :: reserved  ! Not used.
      ! Number of energies that the stage has calculated for all of its basis sets together.
      integer(c_int64_t) :: energies
      real(c_double) :: energy  ! Energy of the chosen basis in hartree.
      ! Parameters alpha, beta, delta and gamma with which the chosen basis has this energy.
      real(c_double) :: parameters(4)
   end type legato_dfr_stage

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_dfr_reducer_params_init.
      function legato_dfr_reducer_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_dfr_reducer_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_params_init_sized

      ! Creates a reduction. nucleus, n_species, closed, electrons and pairs are as in legato_dfr_add_atom. start[4] are
      ! alpha, beta, delta and gamma with which the optimisation of the whole set begins. NULL for `field`,
      ! `optimiser_params` or `params` stands for the defaults.
      function legato_dfr_reducer_create(context, field, optimiser_params, params, nucleus, n_species, closed, &
         electrons, pairs, start, reducer) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_dfr_params), intent(in), optional :: field
         type(legato_dfr_optimiser_params), intent(in), optional :: optimiser_params
         type(legato_dfr_reducer_params), intent(in), optional :: params
         type(legato_dfr_nucleus), intent(in) :: nucleus
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: closed(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in), optional :: pairs(*)
         real(c_double), intent(in) :: start(*)
         type(c_ptr), intent(out) :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_create

      ! Destroys a reduction; NULL is allowed.
      function legato_dfr_reducer_destroy(reducer) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_destroy

      ! Runs until all stages are finished. `callback` may be NULL. It reports stages as points and energies as cycles.
      ! A stopped run continues with the next call.
      function legato_dfr_reducer_run(reducer, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_run

      ! Calculates up to `energies` more energies of each basis set of the current stage. If the stage ends before that,
      ! the call continues with the next stages. *finished becomes 1 if the reduction has ended, and 0 otherwise.
      function legato_dfr_reducer_advance(reducer, energies, finished) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int64_t), value :: energies
         integer(c_int32_t), intent(inout), optional :: finished
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_advance

      ! Reads the current state of the reduction.
      function legato_dfr_reducer_result(reducer, reduction) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_reduction), intent(inout) :: reduction
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_result

      ! Reads the result of finished stage `index`, counted from 0.
      function legato_dfr_reducer_stage(reducer, index, stage) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), value :: index
         type(legato_dfr_stage), intent(inout) :: stage
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_stage

      ! Reads the basis after the stages so far, as legato_dfr_optimiser_add takes it. n_functions and first have length
      ! *n_species, parameters has length 4.
      function legato_dfr_reducer_basis(reducer, n_species, n_functions, first, parameters) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: n_functions(*)
         integer(c_int32_t), intent(inout), optional :: first(*)
         real(c_double), intent(inout), optional :: parameters(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_basis

      ! Reads the atom, the limit energy that was passed (0 if it is calculated) and the start, as
      ! legato_dfr_reducer_create takes them. closed and electrons have *n_species elements, pairs has *n_species x
      ! *n_species, and start has 4. The caller sets the struct_size of `nucleus`.
      function legato_dfr_reducer_atom(reducer, nucleus, n_species, closed, electrons, pairs, limit, start) bind(c) &
         result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_nucleus), intent(inout), optional :: nucleus
         integer(c_int32_t), intent(inout), optional :: n_species
         integer(c_int32_t), intent(inout), optional :: closed(*)
         real(c_double), intent(inout), optional :: electrons(*)
         real(c_double), intent(inout), optional :: pairs(*)
         real(c_double), intent(inout), optional :: limit
         real(c_double), intent(inout), optional :: start(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_atom

      ! Saves the reduction to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete.
      function legato_dfr_reducer_save(reducer, path) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_save

      ! Resumes a saved reduction, with a context of any backend. The reduction takes the same steps as an uninterrupted
      ! one. A file is refused if it is truncated, if it is not a saved reduction, or if a newer version has written it.
      function legato_dfr_reducer_resume(context, path, reducer) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: reducer
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_resume

      ! Reads the parameters in use, for instance after legato_dfr_reducer_resume. Before the call, set struct_size to
      ! the size of the struct, directly or by legato_dfr_reducer_params_init.
      function legato_dfr_reducer_get_params(reducer, field, optimiser_params, params) bind(c) result(status)
         import
         type(c_ptr), value :: reducer
         type(legato_dfr_params), intent(inout), optional :: field
         type(legato_dfr_optimiser_params), intent(inout), optional :: optimiser_params
         type(legato_dfr_reducer_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_dfr_reducer_get_params
   end interface
end module legato_c_dfr_reducer
