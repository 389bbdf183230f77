!> What the drop-ins of folder dropin share, whose callers know nothing of a context: the one that they all have, from the
!! environment, and the library's words on standard error.
module legato_dropin
   use legato_c
   use legato_support, only: from_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: context, no_context, refused, warn

   !> Of all drop-ins of the program.
   type(c_ptr), protected :: context = c_null_ptr

contains

   !> Makes it at the first call; true where it cannot be had.
   logical function no_context()
      no_context = .false.
      if (.not. c_associated(context)) no_context = refused(legato_context_create(context=context))
   end function no_context

   !> Whether a call of C has failed, and then says why.
   logical function refused(status)
      integer(c_int32_t), intent(in) :: status

      refused = status /= LEGATO_SUCCESS
      if (.not. refused) return
      write (error_unit, '(2a)') 'legato: ', from_c(legato_context_message(context))
      flush (error_unit)
   end function refused

   !> Where LEGATO_LOG lets warnings through.
   subroutine warn(text)
      character(*), intent(in) :: text
      type(legato_context_params) :: params

      if (legato_context_params_init_sized(params, c_sizeof(params)) /= LEGATO_SUCCESS) return
      if (params%log_level < LEGATO_LOG_WARNING) return
      write (error_unit, '(2a)') 'legato warning: ', text
      flush (error_unit)
   end subroutine warn
end module legato_dropin
