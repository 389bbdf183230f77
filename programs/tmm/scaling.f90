! Fits of finite-size scaling to normalised localisation lengths: critical disorder, exponents and their errors, for one
! set of orders of the expansions or for a table of many.

program tmm_scaling
   use, intrinsic :: iso_c_binding, only: c_double
   use kinds
   use legato
   use library_errors
   use messages
   use run_control
   use scaling_input
   use scaling_options
   use scaling_output
   implicit none

   type(options) :: given
   type(table) :: data
   type(legato_context) :: context
   integer(ikind) :: ierr, n1, n2, m1, m2
   character(len=400) :: message
   integer :: stat
   logical :: all_converged, single

   call begin_run('tmm_scaling')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   call read_files(given, data, ierr)
   call stop_on(ierr)
   call context%create(backend=LEGATO_BACKEND_CPU, stat=stat, errmsg=message)
   call stop_on_library(stat, message)
   single = all(given%lowest == given%highest)
   all_converged = .true.
   call print_heading(data)
   do n1 = given%lowest(1), given%highest(1)
      do n2 = given%lowest(2), given%highest(2)
         do m1 = given%lowest(3), given%highest(3)
            do m2 = given%lowest(4), given%highest(4)
               if (n2 > 0 .or. m2 == 0 .or. single) call fit_with([n1, n2, m1, m2])
            end do
         end do
      end do
   end do
   call stop_on_lost_output
   if (.not. all_converged) call stop_on(1_ikind)

contains

   subroutine fit_with(orders)
      integer(ikind), intent(in) :: orders(4)
      type(legato_fss) :: fss
      type(legato_fss_params) :: params
      type(legato_fss_fit) :: fit

      params = fss_defaults()
      params%relevant_order = orders(1)
      params%irrelevant_order = orders(2)
      params%relevant_expansion = orders(3)
      params%irrelevant_expansion = orders(4)
      params%resamples = given%resamples
      params%seed = given%seed
      call fss%create(context, data%length, data%control, data%value, data%error, params, stat, message)
      if (stat == LEGATO_STATUS_INVALID_ARGUMENT .and. .not. single) then     ! other orders may need fewer data
         all_converged = .false.
         call print_refused(orders, trim(message))
         return
      end if
      call stop_on_library(stat, message)
      call fss%run(stat=stat, errmsg=message)
      call stop_on_library(stat, message)
      call fss%result(fit, stat, message)
      call stop_on_library(stat, message)
      call print_row(orders, fit)
      all_converged = all_converged .and. fit%status == LEGATO_FSS_FIT_STATUS_CONVERGED
      if (.not. single .or. fit%status == LEGATO_FSS_FIT_STATUS_NOT_CONVERGED) return
      call print_fit(fss, orders, fit)
      ierr = 0
      if (allocated(given%output)) call write_plot(given%output, fss, fit, data, given%inverse, ierr)
      call stop_on(ierr)
   end subroutine fit_with

end program tmm_scaling
