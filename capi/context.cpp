#include "legato/context.h"

#include "core/device.hpp"
#include "core/validate.hpp"
#include "guard.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_context_params> = LEGATO_SIZE_UP_TO(legato_context_params,
                                                                                         log_level);
template <>
inline constexpr std::size_t capi::first_size<legato_device_info> = LEGATO_SIZE_UP_TO(legato_device_info, free_memory);

const char* legato_version() {
    return LEGATO_VERSION;
}

int32_t legato_version_number() {
    return LEGATO_VERSION_NUMBER;
}

const char* legato_status_text(int32_t status) {
    switch (status) {
        case LEGATO_STATUS_SUCCESS:
            return "success";
        case LEGATO_STATUS_INVALID_ARGUMENT:
            return "invalid argument";
        case LEGATO_STATUS_OUT_OF_MEMORY:
            return "out of memory";
        case LEGATO_STATUS_NO_DEVICE:
            return "no CUDA device";
        case LEGATO_STATUS_DEVICE_ERROR:
            return "CUDA error";
        case LEGATO_STATUS_IO_ERROR:
            return "input or output error";
        case LEGATO_STATUS_BAD_FILE:
            return "unusable file";
        case LEGATO_STATUS_CANCELLED:
            return "cancelled";
        case LEGATO_STATUS_NUMERICAL_ERROR:
            return "numerical error";
        case LEGATO_STATUS_INTERNAL_ERROR:
            return "internal error";
        case LEGATO_STATUS_PRECISION_LOST:
            return "precision lost";
        case LEGATO_STATUS_COMMUNICATION_ERROR:
            return "communication error";
        default:
            return "unknown status";
    }
}

namespace {

// Returns the built-in defaults if an environment variable is invalid; legato_context_create reports the error.
ContextOptions defaults() {
    try {
        return options_from_environment();
    } catch (const Error&) {
        return {};
    }
}

legato_context_params to_c(const ContextOptions& options) {
    legato_context_params c{};
    c.struct_size = sizeof(c);
    c.backend = static_cast<int32_t>(options.backend);
    c.device = options.device;
    c.threads = options.threads;
    c.log_level = static_cast<int32_t>(options.log_level);
    return c;
}

}  // namespace

int32_t legato_context_params_init_sized(legato_context_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("context.params", to_c(defaults()), params, struct_size); });
}

int32_t legato_context_create(const legato_context_params* params, legato_context** context) {
    if (!context) return LEGATO_STATUS_INVALID_ARGUMENT;
    *context = nullptr;
    ContextObject* made = nullptr;
    const int32_t status = guard_call(nullptr, [&] {
        auto shared = std::make_shared<ContextObject>();
        made = shared.get();
        *context = static_cast<legato_context*>(enter_table(std::move(shared), &type_of<legato_context>));
    });
    if (status != LEGATO_STATUS_SUCCESS) return status;
    return made->creation_status = guard_call(made, [&] {
               ContextOptions options = options_from_environment();
               if (params) {
                   legato_context_params p = to_c(options);
                   read_struct("context.params", params, p);
                   options.backend = static_cast<Backend>(p.backend);
                   options.device = p.device;
                   options.threads = p.threads;
                   options.log_level = static_cast<LogLevel>(p.log_level);
               }
               made->context = std::make_unique<Context>(options);
           });
}

int32_t legato_context_destroy(legato_context* context) {
    if (!context) return LEGATO_STATUS_SUCCESS;
    Borrowed borrowed(context, &type_of<legato_context>);
    if (!borrowed.destroy_handle()) return LEGATO_STATUS_INVALID_ARGUMENT;
    // Handles that still exist must not call a logger that the program may have destroyed.
    if (const auto& c = static_cast<ContextObject*>(borrowed.object())->context)
        c->set_logger(c->options().log_level, {});
    return LEGATO_STATUS_SUCCESS;
}

const char* legato_context_message(const legato_context* context) {
    if (!context) return "the context is a null pointer";
    const auto found =
        std::static_pointer_cast<ContextObject>(shared_even_if_destroyed(context, &type_of<legato_context>));
    return found ? found->message.c_str() : "the context has been destroyed, or the pointer is not a context";
}

int32_t legato_context_report(legato_context* context, int32_t failure, const char* message) {
    return guard(context, [&](Context&) {
        require_integer("context.report.failure", failure, 1, LEGATO_STATUS_COMMUNICATION_ERROR);
        require_pointer("context.report.message", message);
        throw Error(static_cast<Status>(failure), message);
    });
}

int32_t legato_context_set_logger(legato_context* context, int32_t level, legato_log_callback callback, void* user) {
    return guard(context, [&](Context& c) {
        require_integer("context.logger.level", level, 0, 4);
        Context::Logger logger;
        if (callback)
            logger = [callback, user](LogLevel line_level, std::string_view line) {
                const std::string terminated(line);
                const Callback turn;
                callback(user, static_cast<int32_t>(line_level), terminated.c_str());
            };
        c.set_logger(static_cast<LogLevel>(level), std::move(logger));
    });
}

int32_t legato_context_set_devices(legato_context* context, int32_t n_devices, const int32_t* devices) {
    return guard_with_object(context, [&](ContextObject& found, Context& c) {
        if (found.has_handles)
            fail(Status::invalid_argument,
                 "context.devices: set them before the first handle is made from the context");
        require_integer("context.n_devices", n_devices, 1, most_devices);
        require_pointer("context.devices", devices);
        c.set_devices({devices, devices + n_devices});
    });
}

int32_t legato_context_backend(legato_context* context, int32_t* backend, const char** reason) {
    return guard_with_object(context, [&](ContextObject& found, Context& c) {
        require_pointer("context.backend", backend) = static_cast<int32_t>(c.last_choice().backend);
        found.text = c.last_choice().reason;
        if (reason) *reason = found.text.c_str();
    });
}

int32_t legato_context_device_count(legato_context* context, int32_t* count) {
    return guard_with_object(context, [&](ContextObject& found, Context&) {
        require_pointer("context.count", count) = device_count(&found.message);
    });
}

int32_t legato_context_device_info(legato_context* context, int32_t device, legato_device_info* info) {
    return guard(context, [&](Context&) {
        require_struct("device_info", info);
        const DeviceInfo found = device_info(device);
        legato_device_info out{};
        found.name.copy(out.name, sizeof(out.name) - 1);
        out.compute_capability = found.compute_capability;
        out.multiprocessors = found.multiprocessors;
        out.total_memory = static_cast<int64_t>(found.total_memory);
        out.free_memory = static_cast<int64_t>(found.free_memory);
        write_struct("device_info", out, info);
    });
}
