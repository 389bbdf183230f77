// Device memory that frees itself.
#pragma once

#include <span>
#include <utility>

#include "core/check.hpp"

namespace legato::cuda {

// Owns `size` elements of device memory, which are zero at first.
template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : Buffer() {  // from here on the destructor runs even if this throws
        size_ = size;
        if (size == 0) return;
        const cudaError_t result = cudaMalloc(&data_, size * sizeof(T));
        if (result == cudaErrorMemoryAllocation) out_of_memory(size * sizeof(T));
        check(result, "cudaMalloc");
        check(cudaMemset(data_, 0, size * sizeof(T)), "cudaMemset");
    }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer() { clear_error(cudaFree(data_)); }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }

    void upload(std::span<const T> from, std::size_t offset = 0) const {
        check(cudaMemcpy(data_ + offset, from.data(), from.size_bytes(), cudaMemcpyHostToDevice),
              "cudaMemcpy to device");
    }
    void download(std::span<T> to, std::size_t offset = 0) const {
        check(cudaMemcpy(to.data(), data_ + offset, to.size_bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy to host");
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Owns `size` bytes of page-locked host memory.
class HostBuffer {
  public:
    HostBuffer() = default;
    explicit HostBuffer(std::size_t size) : data_(page_locked(size)), size_(size) {}
    HostBuffer(HostBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    HostBuffer& operator=(HostBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~HostBuffer() { clear_error(cudaFreeHost(data_)); }

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

// Makes the buffer hold at least `size` elements. If it must grow, its contents are lost.
template <class AnyBuffer>
void grow(AnyBuffer& buffer, std::size_t size) {
    if (buffer.size() >= size) return;
    buffer = AnyBuffer();
    buffer = AnyBuffer(size);
}

}  // namespace legato::cuda
