!> Helpers of the drop-ins in folder dropin, whose callers pass no context. The module provides the context of the
!! calling thread, which is made from the environment, and the state that a drop-in keeps for each thread. It also
!! provides the files in the folder LEGATO_CHECKPOINT (dropin_checkpoint.h) and messages on standard error.
module legato_dropin
   use legato_c
   use legato_support, only: from_c
   use, intrinsic :: iso_fortran_env, only: error_unit
   implicit none
   private

   public :: context, no_context, storage, refused, warn
   public :: legato_checkpoint, legato_checkpoint_hash, want_checkpoint, begin_checkpoint, refuse_checkpoint, &
      save_is_due, is_worth_saving, saved, legato_checkpoint_finished

   integer, parameter :: path_length = 4096

   !> The checkpoint of a problem. The members are those of the struct in C.
   type, bind(c) :: legato_checkpoint
      real(c_double) :: saved_at = 0
      integer(c_int32_t) :: wanted = 0, there = 0
      character(kind=c_char) :: path(path_length) = c_null_char
   end type legato_checkpoint

   interface
      function legato_checkpoint_hash(before, bytes, count) bind(c) result(hash)
         import :: c_int64_t, c_ptr, c_size_t
         integer(c_int64_t), value :: before
         type(c_ptr), value :: bytes
         integer(c_size_t), value :: count
         integer(c_int64_t) :: hash
      end function legato_checkpoint_hash

      function legato_checkpoint_wanted() bind(c) result(wanted)
         import :: c_int32_t
         integer(c_int32_t) :: wanted
      end function legato_checkpoint_wanted

      function legato_checkpoint_is_worth(checkpoint) bind(c) result(is_worth)
         import :: c_int32_t, legato_checkpoint
         type(legato_checkpoint), intent(in) :: checkpoint
         integer(c_int32_t) :: is_worth
      end function legato_checkpoint_is_worth

      function legato_checkpoint_begin(checkpoint, method, hash, ending) bind(c) result(status)
         import :: c_char, c_int32_t, c_int64_t, legato_checkpoint
         type(legato_checkpoint), intent(out) :: checkpoint
         character(kind=c_char), intent(in) :: method(*), ending(*)
         integer(c_int64_t), value :: hash
         integer(c_int32_t) :: status
      end function legato_checkpoint_begin

      function legato_checkpoint_due(checkpoint) bind(c) result(due)
         import :: c_int32_t, legato_checkpoint
         type(legato_checkpoint), intent(in) :: checkpoint
         integer(c_int32_t) :: due
      end function legato_checkpoint_due

      subroutine legato_checkpoint_finished(checkpoint) bind(c)
         import :: legato_checkpoint
         type(legato_checkpoint), intent(in) :: checkpoint
      end subroutine legato_checkpoint_finished

      subroutine legato_checkpoint_keep() bind(c)
      end subroutine legato_checkpoint_keep

      subroutine legato_checkpoint_saved(checkpoint, why) bind(c)
         import :: c_ptr, legato_checkpoint
         type(legato_checkpoint), intent(inout) :: checkpoint
         type(c_ptr), value :: why
      end subroutine legato_checkpoint_saved

      function legato_dropin_context(status) bind(c) result(context)
         import :: c_int32_t, c_ptr
         integer(c_int32_t), intent(out) :: status
         type(c_ptr) :: context
      end function legato_dropin_context

      function legato_dropin_storage(bytes, end) bind(c) result(storage)
         import :: c_funptr, c_ptr, c_size_t
         integer(c_size_t), value :: bytes
         type(c_funptr), value :: end
         type(c_ptr) :: storage
      end function legato_dropin_storage
   end interface

contains

   !> Returns the context of the calling thread, which is made at the thread's first call.
   function context()
      type(c_ptr) :: context
      integer(c_int32_t) :: status

      context = legato_dropin_context(status)
   end function context

   !> Returns true and prints the reason if the context could not be made.
   logical function no_context()
      integer(c_int32_t) :: status
      type(c_ptr) :: made

      made = legato_dropin_context(status)
      no_context = refused(status)
   end function no_context

   !> Returns storage of the calling thread for the drop-in to which `end` belongs: `bits` bits, zero at the first call.
   !! end(storage) is called when the thread ends. Stops the program if there is no memory.
   function storage(bits, end)
      integer, intent(in) :: bits
      interface
         subroutine end(storage) bind(c)
            import :: c_ptr
            type(c_ptr), value :: storage
         end subroutine end
      end interface
      type(c_ptr) :: storage

      storage = legato_dropin_storage(int(bits / 8, c_size_t), c_funloc(end))
      if (c_associated(storage)) return
      write (error_unit, '(a)') 'legato: out of memory'
      flush (error_unit)
      stop 1, quiet=.true.
   end function storage

   !> Returns true and prints the reason if a C call has failed.
   logical function refused(status)
      integer(c_int32_t), intent(in) :: status

      refused = status /= LEGATO_STATUS_SUCCESS
      if (.not. refused) return
      call legato_checkpoint_keep
      write (error_unit, '(2a)') 'legato: ', from_c(legato_context_message(context()))
      flush (error_unit)
   end function refused

   !> Finds out whether a checkpoint is wanted. It is called before begin_checkpoint if the hash is expensive to
   !! compute.
   subroutine want_checkpoint(checkpoint, failed)
      type(legato_checkpoint), intent(out) :: checkpoint
      logical, intent(out) :: failed

      checkpoint%wanted = legato_checkpoint_wanted()
      failed = checkpoint%wanted < 0
   end subroutine want_checkpoint

   !> Names the file of a problem with this hash, and checks whether it exists.
   subroutine begin_checkpoint(checkpoint, method, hash, failed)
      type(legato_checkpoint), intent(out) :: checkpoint
      character(*), intent(in) :: method
      integer(c_int64_t), intent(in) :: hash
      logical, intent(out) :: failed

      failed = legato_checkpoint_begin(checkpoint, method // c_null_char, hash, 'h5' // c_null_char) /= 0
   end subroutine begin_checkpoint

   !> Reports a file whose contents do not belong to its name.
   subroutine refuse_checkpoint(checkpoint)
      type(legato_checkpoint), intent(in) :: checkpoint
      integer :: length

      call legato_checkpoint_keep
      length = findloc(checkpoint%path, c_null_char, dim=1) - 1
      write (error_unit, '(*(a))') 'legato: LEGATO_CHECKPOINT: ', checkpoint%path(:length), &
         ': it belongs to another input than its name says; remove it'
      flush (error_unit)
   end subroutine refuse_checkpoint

   logical function save_is_due(checkpoint)
      type(legato_checkpoint), intent(in) :: checkpoint

      save_is_due = legato_checkpoint_due(checkpoint) /= 0
   end function save_is_due

   !> Returns true if a finished part of the program's work has taken long enough to be saved.
   logical function is_worth_saving(checkpoint)
      type(legato_checkpoint), intent(in) :: checkpoint

      is_worth_saving = legato_checkpoint_is_worth(checkpoint) /= 0
   end function is_worth_saving

   !> Records the status of an attempt to save. After a failure the reason is printed, and the program continues.
   subroutine saved(checkpoint, status)
      type(legato_checkpoint), intent(inout) :: checkpoint
      integer(c_int32_t), intent(in) :: status

      if (status == LEGATO_STATUS_SUCCESS) then
         call legato_checkpoint_saved(checkpoint, c_null_ptr)
      else
         call legato_checkpoint_saved(checkpoint, legato_context_message(context()))
      end if
   end subroutine saved

   !> Prints a warning if LEGATO_LOG admits warnings.
   subroutine warn(text)
      character(*), intent(in) :: text
      type(legato_context_params) :: params

      if (legato_context_params_init_sized(params, c_sizeof(params)) /= LEGATO_STATUS_SUCCESS) return
      if (params%log_level < LEGATO_LOG_LEVEL_WARNING) return
      write (error_unit, '(2a)') 'legato warning: ', text
      flush (error_unit)
   end subroutine warn
end module legato_dropin
