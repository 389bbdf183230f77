! Written by tools/fortran_interfaces.py from capi/include/legato/context.h. Change that instead.
module legato_c_context
   use legato_c_types
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Settings of a context. Environment variables change the defaults; the comment of each member names its variable.
   type, bind(c) :: legato_context_params
      integer(c_size_t) :: struct_size  ! Set by legato_context_params_init.
      ! Backend of the computations. LEGATO_BACKEND (auto, cpu, cuda) changes the default. One of legato_backend,
      ! default LEGATO_BACKEND_AUTO.
      integer(c_int32_t) :: backend
      ! Number of the CUDA device. -1 stands for the devices that LEGATO_DEVICE names: a number, a list such as 0,1,
      ! all, or local. The last one, and the default if it is not set, is the local rank of the process if mpirun or
      ! srun has started it, modulo the number of devices, otherwise 0. Several devices share the work: see
      ! legato_context_set_devices. Range [-1, 1023], default -1.
      integer(c_int32_t) :: device
      ! Number of threads on the CPU. 0 stands for the number that OpenMP would use, but at most one for each processor.
      ! Processes that mpirun or srun has started on one machine share its processors, if they are not bound to some of
      ! them. LEGATO_NUM_THREADS changes the default. Range [0, 4096], default 0.
      integer(c_int32_t) :: threads
      ! Highest level of the lines that are logged. LEGATO_LOG (silent, error, warning, info, debug) changes the
      ! default. One of legato_log_level, default LEGATO_LOG_LEVEL_WARNING.
      integer(c_int32_t) :: log_level
   end type legato_context_params

   ! Properties of a CUDA device.
   type, bind(c) :: legato_device_info
      integer(c_size_t) :: struct_size  ! Set by the caller.
      character(kind=c_char) :: name(256)  ! Name of the device, which ends with a zero byte.
      integer(c_int32_t) :: compute_capability  ! Compute capability; 90 means 9.0.
      integer(c_int32_t) :: multiprocessors  ! Number of multiprocessors.
      integer(c_int64_t) :: total_memory  ! Bytes of device memory.
      integer(c_int64_t) :: free_memory  ! Bytes of device memory that are free at the time of the call.
   end type legato_device_info

   interface
      ! Returns the version "major.minor.patch" of the library that is loaded. The library may be newer than the header.
      function legato_version() bind(c) result(text)
         import
         type(c_ptr) :: text
      end function legato_version

      ! Returns the version of the library as a number: 10000 major + 100 minor + patch.
      function legato_version_number() bind(c) result(status)
         import
         integer(c_int32_t) :: status
      end function legato_version_number

      ! Returns a short text for a status, such as "out of memory".
      function legato_status_text(status) bind(c) result(text)
         import
         integer(c_int32_t), value :: status
         type(c_ptr) :: text
      end function legato_status_text

      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_context_params_init.
      function legato_context_params_init_sized(params, struct_size) bind(c) result(status)
         import
         type(legato_context_params), intent(out) :: params
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_context_params_init_sized

      ! Creates a context; NULL for `params` stands for the defaults. A call that fails creates *context nevertheless,
      ! unless there is too little memory. legato_context_message then returns the error. All other functions that use
      ! the context return the same status. The context must be destroyed like any other.
      function legato_context_create(params, context) bind(c) result(status)
         import
         type(legato_context_params), intent(in), optional :: params
         type(c_ptr), intent(out) :: context
         integer(c_int32_t) :: status
      end function legato_context_create

      ! Destroys a context; NULL is allowed. For a handle that has been destroyed already it returns
      ! LEGATO_STATUS_INVALID_ARGUMENT. Handles made from the context remain valid, but its logger is no longer called.
      ! The message of the context can be read as long as one of these handles exists.
      function legato_context_destroy(context) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t) :: status
      end function legato_context_destroy

      ! Returns the message of the last call with this context or with a handle made from it. The message is "" if that
      ! call succeeded, except after legato_context_device_count. The text is valid until the next call with the same
      ! context. A call without a context, or with a null handle, stores no message.
      function legato_context_message(context) bind(c) result(text)
         import
         type(c_ptr), value :: context
         type(c_ptr) :: text
      end function legato_context_message

      ! Makes `message` the context's message, as a call does that has failed, and returns `failure`, the status of such
      ! a call. It is for libraries that build on this one. Range of failure: [1, 11].
      function legato_context_report(context, failure, message) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: failure
         character(kind=c_char), intent(in) :: message(*)
         integer(c_int32_t) :: status
      end function legato_context_report

      ! Sends log lines up to `level` to `callback`, or to standard error if `callback` is NULL. If `level` is
      ! LEGATO_LOG_LEVEL_ERROR or higher, a callback also receives the message of each call that fails with this context
      ! or with a handle made from it. It receives the message once, before the call returns. Standard error does not
      ! receive these messages, because legato_context_message returns them. LEGATO_LOG_LEVEL_DEBUG adds a line whenever
      ! the library chooses a backend. This line names the requested backend, threads and device.
      function legato_context_set_logger(context, level, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: level
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_context_set_logger

      ! Lets `n_devices` CUDA devices of this process share the problems of a context, if they are computed with CUDA.
      ! They share the points of tmm, vectors of kpm, atoms of dfr, chains of vmc and systems of ising. The results are
      ! bitwise identical for every number of devices. The devices are different numbers in [0, 1023]. The call replaces
      ! context.params.device; with LEGATO_BACKEND_AUTO, the first device is the one on which the library measures. It
      ! must come before any handle is made from the context.
      function legato_context_set_devices(context, n_devices, devices) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: n_devices
         integer(c_int32_t), intent(in) :: devices(*)
         integer(c_int32_t) :: status
      end function legato_context_set_devices

      ! Reads the backend that the library chose last with this context, and the reason for this choice as a text. The
      ! text is valid until the next call with the context.
      function legato_context_backend(context, backend, reason) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: backend
         type(c_ptr), intent(inout), optional :: reason
         integer(c_int32_t) :: status
      end function legato_context_backend

      ! Reads the number of CUDA devices. The number is 0 if the library was built without CUDA or if the machine has no
      ! device. The call succeeds nevertheless, and legato_context_message returns the reason.
      function legato_context_device_count(context, count) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), intent(inout) :: count
         integer(c_int32_t) :: status
      end function legato_context_device_count

      ! Reads the properties of CUDA device `device`, counted from 0.
      function legato_context_device_info(context, device, info) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: device
         type(legato_device_info), intent(inout) :: info
         integer(c_int32_t) :: status
      end function legato_context_device_info
   end interface
end module legato_c_context
