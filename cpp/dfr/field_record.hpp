// Records of fields, which ranks pass to one another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/matrix.hpp"

namespace legato::dfr {

// Passes values to and from a list of bytes.
struct Put {
    std::vector<std::byte>& to;

    template <class T>
    void list(const T* values, std::size_t count) {
        const auto bytes = std::as_bytes(std::span(values, count));
        to.insert(to.end(), bytes.begin(), bytes.end());
    }
    template <class T>
    void operator()(const T& value) {
        list(&value, 1);
    }
    void operator()(const std::string& text) {
        (*this)(text.size());
        list(text.data(), text.size());
    }
    void operator()(const Matrix& matrix) {
        (*this)(matrix.rows);
        (*this)(matrix.columns);
        list(matrix.values.data(), matrix.values.size());
    }
};

struct Take {
    std::span<const std::byte>& from;

    template <class T>
    void list(T* values, std::size_t count) {
        const auto bytes = from.first(count * sizeof(T));
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(values));
        from = from.subspan(bytes.size());
    }
    template <class T>
    void operator()(T& value) {
        list(&value, 1);
    }
    void operator()(std::string& text) {
        std::size_t size = 0;
        (*this)(size);
        text.resize(size);
        list(text.data(), size);
    }
    void operator()(Matrix& matrix) {
        std::size_t rows = 0, columns = 0;
        (*this)(rows);
        (*this)(columns);
        matrix = Matrix(rows, columns);
        list(matrix.values.data(), matrix.values.size());
    }
};

}  // namespace legato::dfr
