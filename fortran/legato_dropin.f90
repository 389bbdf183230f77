!> The drop-ins of folder dropin share this module, since their callers know nothing of a context. It has the context of the
!! calling thread, made from the environment, the state that a drop-in keeps for each thread, and messages on standard error.
module legato_dropin
   use legato_c
   use legato_support, only: from_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: context, no_context, own, refused, warn

   interface
      function legato_dropin_context(status) bind(c) result(context)
         import :: c_int32_t, c_ptr
         integer(c_int32_t), intent(out) :: status
         type(c_ptr) :: context
      end function legato_dropin_context

      function legato_dropin_own(end) bind(c) result(place)
         import :: c_funptr, c_ptr
         type(c_funptr), value :: end
         type(c_ptr) :: place
      end function legato_dropin_own
   end interface

contains

   !> The calling thread's, made at its first call.
   function context()
      type(c_ptr) :: context
      integer(c_int32_t) :: status

      context = legato_dropin_context(status)
   end function context

   !> True where it cannot be had.
   logical function no_context()
      integer(c_int32_t) :: status
      type(c_ptr) :: made

      made = legato_dropin_context(status)
      no_context = refused(status)
   end function no_context

   !> A pointer of the calling thread's for the drop-in to which `end` belongs, null at first; end(pointer), of bind(c), is
   !! called when the thread ends. Null itself where there is no memory.
   function own(end)
      interface
         subroutine end(state) bind(c)
            import :: c_ptr
            type(c_ptr), value :: state
         end subroutine end
      end interface
      type(c_ptr), pointer :: own
      type(c_ptr) :: place

      nullify (own)
      place = legato_dropin_own(c_funloc(end))
      if (c_associated(place)) call c_f_pointer(place, own)
   end function own

   !> Whether a call of C has failed, and then says why.
   logical function refused(status)
      integer(c_int32_t), intent(in) :: status

      refused = status /= LEGATO_SUCCESS
      if (.not. refused) return
      write (error_unit, '(2a)') 'legato: ', from_c(legato_context_message(context()))
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
