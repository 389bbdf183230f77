// The JSON format of the Basis Set Exchange (B. P. Pritchard et al., J. Chem. Inf. Model. 59, 4814 (2019)), with its
// schema "minimal".
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "dfr/basis_formats.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr::basis_formats {
namespace {

using Json = nlohmann::json;

// A JSON value. It is not a Json, whose destructor allocates memory, and ends the program if there is none.
struct Value {
    enum class Kind { other, number, text, array, object };

    Kind kind = Kind::other;
    std::string text;               // a text, or what is written for a number or another value
    std::vector<std::string> keys;  // of an object
    std::vector<Value> items;       // of an array, or those of the keys
};

// Receives the parts of a file from the parser, and makes a value of them.
class Builder {
  public:
    explicit Builder(std::string_view file) : file_(file) {}

    Value take() { return std::move(whole_); }

    bool null() { return put({Value::Kind::other, "null", {}, {}}); }
    bool boolean(bool value) { return put({Value::Kind::other, value ? "true" : "false", {}, {}}); }
    bool number_integer(std::int64_t value) { return put({Value::Kind::number, std::to_string(value), {}, {}}); }
    bool number_unsigned(std::uint64_t value) { return put({Value::Kind::number, std::to_string(value), {}, {}}); }
    bool number_float(double, const std::string& written) { return put({Value::Kind::number, written, {}, {}}); }
    bool string(std::string& value) { return put({Value::Kind::text, std::move(value), {}, {}}); }
    bool binary(Json::binary_t&) { return false; }  // JSON has none
    bool start_object(std::size_t) { return open(Value::Kind::object); }
    bool start_array(std::size_t) { return open(Value::Kind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        if (!keys_.back().insert(name).second)
            fail(Status::bad_file, file_, ": the key ", shown(name), " comes twice in an object");
        open_.back().keys.push_back(std::move(name));
        return true;
    }
    [[noreturn]] bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) const {
        fail(Status::bad_file, file_, ": ", shown(error.what()));
    }

  private:
    bool open(Value::Kind kind) {
        constexpr std::size_t most = 20;  // deeper values would need much stack
        if (open_.size() == most) fail(Status::bad_file, file_, ": more than ", most, " brackets are open");
        open_.push_back({kind, {}, {}, {}});
        keys_.emplace_back();
        return true;
    }
    bool close() {
        Value value = std::move(open_.back());
        open_.pop_back();
        keys_.pop_back();
        return put(std::move(value));
    }
    bool put(Value value) {
        (open_.empty() ? whole_ : open_.back().items.emplace_back()) = std::move(value);
        return true;
    }

    std::string_view file_;
    std::vector<Value> open_;
    std::vector<std::set<std::string>> keys_;  // of the open values
    Value whole_;
};

Value parsed(std::string_view text, std::string_view file) {
    Builder builder(file);
    if (!Json::sax_parse(text.begin(), text.end(), &builder)) fail(Status::bad_file, file, ": it is not JSON");
    return builder.take();
}

// A value and its place, for messages: "basis file a.json: elements.2.electron_shells[0]".
struct Place {
    const Value& value;
    std::string where;

    [[noreturn]] void refuse(std::string_view expected) const {
        fail(Status::bad_file, where, ": ", brief(), " is not ", expected);
    }
    std::string brief() const {
        if (value.kind == Value::Kind::object) return "an object";
        if (value.kind == Value::Kind::array) return text("an array of ", value.items.size(), " values");
        return shown(value.text);
    }
    // Returns the value of a key, or null.
    const Value* find(std::string_view key) const {
        if (value.kind != Value::Kind::object) refuse("an object");
        const auto found = std::find(value.keys.begin(), value.keys.end(), key);
        return found == value.keys.end() ? nullptr : &value.items[static_cast<std::size_t>(found - value.keys.begin())];
    }
    Place at(const char* key) const {
        const Value* const found = find(key);
        if (!found) fail(Status::bad_file, where, ": \"", key, "\" is missing");
        return {*found, text(where, ".", key)};
    }
    Place at(std::size_t index) const { return {value.items[index], text(where, "[", index, "]")}; }
    std::size_t size(std::string_view expected) const {
        if (value.kind != Value::Kind::array || value.items.empty()) refuse(expected);
        return value.items.size();
    }
    double number() const {
        const bool is_written = value.kind == Value::Kind::text || value.kind == Value::Kind::number;
        const double read = is_written ? number_of(value.text) : std::nan("");
        if (!std::isfinite(read)) refuse("a number, or a text that is one");
        return read;
    }
};

std::vector<double> numbers_of(const Place& list) {
    std::vector<double> numbers(list.size("a list of numbers"));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = list.at(i).number();
    return numbers;
}

// The l of a shell, or of the functions that share its exponents.
std::vector<int> momenta_of(const Place& list) {
    std::vector<int> momenta;
    for (std::size_t i = 0; i < list.size("a list of angular momenta"); ++i) {
        const Place l = list.at(i);
        const bool is_digit = l.value.kind == Value::Kind::number && l.value.text.size() == 1;
        momenta.push_back(is_digit ? l.value.text[0] - '0' : -1);
        if (momenta.back() < 0 || momenta.back() > max_l) l.refuse(text("an angular momentum in 0..", max_l));
    }
    return momenta;
}

void require_spherical(const Place& shell, const std::vector<int>& momenta) {
    const Place type = shell.at("function_type");
    const bool is_low = *std::max_element(momenta.begin(), momenta.end()) < 2;
    const std::string& name = type.value.text;
    if (name == "gto" || name == "gto_spherical" || (name == "gto_cartesian" && is_low)) return;
    type.refuse("\"gto\" or \"gto_spherical\", the only types that can be read");
}

void read_shell(const Place& place, Collector& sets) {
    const std::vector<int> momenta = momenta_of(place.at("angular_momentum"));
    require_spherical(place, momenta);
    const std::vector<double> exponents = numbers_of(place.at("exponents"));
    const Place columns = place.at("coefficients");
    const std::size_t count = columns.size("a list of lists of coefficients");
    if (momenta.size() > 1 && count != momenta.size())
        columns.refuse(text("a list of ", momenta.size(), " lists, one for each angular momentum"));
    for (std::size_t i = 0; i < momenta.size(); ++i) {
        BasisShell shell{momenta[i], 0, exponents, {}};
        for (std::size_t k = 0; k < count; ++k)
            if (momenta.size() == 1 || k == i) shell.coefficients.push_back(numbers_of(columns.at(k)));
        sets.add(std::move(shell), place.where);
    }
}

int element_of_key(const std::string& key, std::string_view file) {
    for (int z = 1; z <= max_element; ++z)
        if (key == std::to_string(z)) return z;
    fail(Status::bad_file, file, ": elements: ", shown(key), " is not an element in 1..", max_element);
}

std::string list_of(const std::vector<double>& numbers) {
    std::string list;
    for (const double number : numbers) list += text(list.empty() ? "\"" : ", \"", digits(number), "\"");
    return "[" + list + "]";
}

std::string to_json(const BasisShell& shell) {
    std::string columns;
    for (const auto& function : shell.coefficients) columns += (columns.empty() ? "" : ", ") + list_of(function);
    return text("{\"function_type\": \"", shell.l < 2 ? "gto" : "gto_spherical",
                "\", \"region\": \"\", \"angular_momentum\": [", shell.l,
                "], \"exponents\": ", list_of(shell.exponents), ", \"coefficients\": [", columns, "]}");
}

std::string as_json(const std::string& text) {
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

std::vector<BasisSet> read_json(std::string_view text, std::string_view file) {
    const Value json = parsed(text, file);
    const Place elements = Place{json, std::string(file)}.at("elements");
    if (elements.value.kind != Value::Kind::object) elements.refuse("an object");
    Collector sets;
    for (std::size_t i = 0; i < elements.value.keys.size(); ++i) {
        const std::string& key = elements.value.keys[i];
        const Place element{elements.value.items[i], legato::text(elements.where, ".", key)};
        sets.begin(element_of_key(key, file), element.where);
        if (element.find("ecp_potentials"))
            element.at("ecp_potentials").refuse("allowed: all electrons are computed, without effective potentials");
        const Place shells = element.at("electron_shells");
        const std::size_t count = shells.size("a list of shells");
        for (std::size_t k = 0; k < count; ++k) read_shell(shells.at(k), sets);
    }
    return sets.finish(file);
}

std::string to_json(const std::vector<BasisSet>& sets, const BasisTexts& texts) {
    std::string out =
        text("{\n  \"molssi_bse_schema\": {\"schema_type\": \"minimal\", \"schema_version\": \"0.1\"},\n  \"name\": ",
             as_json(texts.name), ",\n  \"description\": ", as_json(texts.description));
    bool has_high = false;
    for (const BasisSet& set : sets)
        for (const BasisShell& shell : set.shells) has_high = has_high || shell.l >= 2;
    out += text(",\n  \"version\": \"1\",\n  \"role\": \"orbital\",\n  \"function_types\": [\"gto\"",
                has_high ? ", \"gto_spherical\"" : "", "],\n  \"elements\": {\n");
    for (const BasisSet& set : sets) {
        out += text("    \"", set.element, "\": {\"electron_shells\": [\n");
        for (const BasisShell& shell : set.shells)
            out += text("      ", to_json(shell), &shell == &set.shells.back() ? "\n" : ",\n");
        out += text("    ]}", &set == &sets.back() ? "\n" : ",\n");
    }
    return out + "  }\n}\n";
}

}  // namespace legato::dfr::basis_formats
