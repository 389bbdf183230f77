! Written by tools/fortran_interfaces.py from capi/include/legato/vmc_optimiser.h. Change that instead.
module legato_c_vmc_optimiser
   use legato_c_vmc
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Status of an optimisation.
   enum, bind(c)
      enumerator :: LEGATO_VMC_OPTIMISER_STATUS_WAITING = 0  ! not begun
      enumerator :: LEGATO_VMC_OPTIMISER_STATUS_RUNNING = 1  ! the results so far can be read
      ! the last quiet_steps steps are quiet steps of the refinement
      enumerator :: LEGATO_VMC_OPTIMISER_STATUS_CONVERGED = 2
      ! the largest number of steps, `steps`, was reached first
      enumerator :: LEGATO_VMC_OPTIMISER_STATUS_NOT_CONVERGED = 3
   end enum

   ! Stage of a step.
   enum, bind(c)
      enumerator :: LEGATO_VMC_STAGE_DESCENT = 0  ! stochastic reconfiguration
      enumerator :: LEGATO_VMC_STAGE_SURVEY = 1  ! second derivatives of the energy
      enumerator :: LEGATO_VMC_STAGE_REFINEMENT = 2  ! Newton steps
   end enum

   ! Parameters of an optimisation.
   type, bind(c) :: legato_vmc_optimiser_params
      integer(c_size_t) :: struct_size  ! Set by legato_vmc_optimiser_params_init.
      ! Element p is 1: parameter p (legato_vmc_parameter) is varied; 0: it is fixed. At least one is varied. Range [0,
      ! 1], default 1,1,0,0.
      integer(c_int32_t) :: free(4)
      integer(c_int32_t) :: steps  ! Largest number of steps. Range [1, 1000000], default 40.
      ! Number of quiet steps of the refinement that end the optimisation. Range [1, 1000], default 3.
      integer(c_int32_t) :: quiet_steps
      ! Factor by which sweeps_per_bin of the run is multiplied in survey and refinement. After a survey that is not
      ! conclusive, because a curvature is not positive beyond two errors, the factor is the square of this number in
      ! all stages. Range [1, 1000], default 4.
      integer(c_int32_t) :: refinement
      integer(c_int32_t) :: reserved  ! Not used.
      real(c_double) :: time  ! Imaginary time of a descent step, in units of 1 / t. Range [1e-6, 1e3], default 0.2.
      ! Largest change of a parameter in one step. All changes of a step are reduced by the same factor. Range [1e-6,
      ! 1e3], default 0.2.
      real(c_double) :: largest_move
      real(c_double) :: shift  ! Relative shift of the diagonal of the metric. Range [0, 1e3], default 1e-3.
      ! Number of standard errors within which a component of the gradient is not significantly different from 0. Range
      ! [0, 100], default 2.
      real(c_double) :: significance
   end type legato_vmc_optimiser_params

   ! A step of an optimisation. Arrays are indexed by legato_vmc_parameter.
   type, bind(c) :: legato_vmc_optimiser_step
      integer(c_size_t) :: struct_size  ! Set by the caller.
      real(c_double) :: parameters(4)  ! Parameters of the step.
      real(c_double) :: energy  ! Energy per site.
      real(c_double) :: energy_error  ! Its standard error.
      real(c_double) :: gradient(4)  ! Gradient of the energy per site; 0 for parameters that are not free.
      real(c_double) :: gradient_error(4)  ! Its standard error.
      real(c_double) :: gradient_covariance(4, 4)  ! Covariance of the errors of the gradient.
      integer(c_int32_t) :: stage  ! One of legato_vmc_stage.
      integer(c_int32_t) :: reserved  ! Not used.
   end type legato_vmc_optimiser_step

   ! Result of an optimisation. If it has converged, the result is the optimum, which follows from the quiet steps.
   ! Otherwise errors, covariance, curvature and gain are NaN. For parameters that are not free, errors, covariance and
   ! curvature are 0.
   type, bind(c) :: legato_vmc_optimisation
      integer(c_size_t) :: struct_size  ! Set by the caller.
      integer(c_int32_t) :: status  ! One of legato_vmc_optimiser_status.
      integer(c_int32_t) :: reserved  ! Not used.
      integer(c_int64_t) :: steps_done  ! Number of finished steps.
      ! Parameters of the optimum. If the optimisation has not converged, they are those of the last step, or of the
      ! start if there is no step.
      real(c_double) :: parameters(4)
      ! Standard errors of the parameters: the errors of the gradients divided by the curvature.
      real(c_double) :: errors(4)
      real(c_double) :: covariance(4, 4)  ! Covariance of the errors of the parameters.
      real(c_double) :: curvature(4, 4)  ! Second derivatives of the energy per site, from the latest survey.
      real(c_double) :: gain  ! Decrease of the energy per site that the mean gradient of the quiet steps still allows.
   end type legato_vmc_optimisation

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_vmc_optimiser_params_init.
      function legato_vmc_optimiser_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_vmc_optimiser_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_params_init_sized

      ! Creates an optimisation. `run` has the parameters for the run of each step. Its delta, mu, variational_t_prime
      ! and variational_t_double_prime are the start. delta is not 0 and keeps its sign. gradients and gradients_by of
      ! `run` are ignored; the optimiser sets gradients to 1 and gradients_by to `free`. bins times chains of `run` is
      ! at least 2, because the gradients need errors. NULL for `run` or `params` stands for the defaults.
      !
      ! All steps have the seed of `run`, but they share no random numbers. Optimisations with different seeds share
      ! none either.
      function legato_vmc_optimiser_create(context, run, params, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_vmc_params), intent(in), optional :: run
         type(legato_vmc_optimiser_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_create

      ! Destroys an optimisation; NULL is allowed.
      function legato_vmc_optimiser_destroy(optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_destroy

      ! Runs until the optimisation has converged or all steps are done. `callback` may be NULL. It reports steps as
      ! points, and sweeps of all chains as cycles. A stopped run continues with the next call, which repeats the
      ! interrupted step.
      !
      ! The function returns LEGATO_STATUS_NUMERICAL_ERROR if a step fails or its metric is singular. It returns
      ! LEGATO_STATUS_INVALID_ARGUMENT if the pair function is not defined for the parameters of a step or of the start.
      ! It also does so if these parameters need more borders (legato_vmc_pair_function) than there are pairs of
      ! electrons. The earlier steps can still be read.
      function legato_vmc_optimiser_run(optimiser, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_run

      ! Makes up to `steps` more steps. *steps_done becomes the number of all finished steps.
      function legato_vmc_optimiser_advance(optimiser, steps, steps_done) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: steps
         integer(c_int64_t), intent(inout), optional :: steps_done
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_advance

      ! Reads the result of the optimisation.
      function legato_vmc_optimiser_result(optimiser, optimisation) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_vmc_optimisation), intent(inout) :: optimisation
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_result

      ! Reads step `index`, counted from 0.
      function legato_vmc_optimiser_get_step(optimiser, index, step) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         integer(c_int64_t), value :: index
         type(legato_vmc_optimiser_step), intent(inout) :: step
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_get_step

      ! Saves the optimisation to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete.
      function legato_vmc_optimiser_save(optimiser, path) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_save

      ! Resumes a saved optimisation, which takes the same steps as an uninterrupted one. An optimisation that version
      ! 0.1 has saved continues with the random numbers of that version: step i uses the seed `seed` + i. A file is
      ! refused if it is truncated, if it is not a saved optimisation, or if a newer version has written it.
      function legato_vmc_optimiser_resume(context, path, optimiser) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), intent(out) :: optimiser
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_resume

      ! Reads the parameters in use, for instance after legato_vmc_optimiser_resume. Before the call, set struct_size to
      ! the size of the struct, directly or by legato_vmc_optimiser_params_init.
      function legato_vmc_optimiser_get_params(optimiser, run, params) bind(c) result(status)
         import
         type(c_ptr), value :: optimiser
         type(legato_vmc_params), intent(inout), optional :: run
         type(legato_vmc_optimiser_params), intent(inout), optional :: params
         integer(c_int32_t) :: status
      end function legato_vmc_optimiser_get_params
   end interface
end module legato_c_vmc_optimiser
