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

// A value and its place, for messages: "basis file a.json: elements.2.electron_shells[0]".
struct Place {
    const Json& value;
    std::string where;

    [[noreturn]] void refuse(std::string_view expected) const {
        fail(Status::bad_file, where, ": ", brief(), " is not ", expected);
    }
    std::string brief() const {
        if (value.is_object()) return "an object";
        if (value.is_array()) return text("an array of ", value.size(), " values");
        return shown(value.dump(-1, ' ', true, Json::error_handler_t::replace));
    }
    Place at(const char* key) const {
        if (!value.is_object()) refuse("an object");
        const auto found = value.find(key);
        if (found == value.end()) fail(Status::bad_file, where, ": \"", key, "\" is missing");
        return {*found, text(where, ".", key)};
    }
    Place at(std::size_t index) const { return {value[index], text(where, "[", index, "]")}; }
    std::size_t size(std::string_view expected) const {
        if (!value.is_array() || value.empty()) refuse(expected);
        return value.size();
    }
    double number() const {
        const double read = value.is_string()   ? number_of(value.get_ref<const std::string&>())
                            : value.is_number() ? value.get<double>()
                                                : std::nan("");
        if (!std::isfinite(read)) refuse("a number, or a text that is one");
        return read;
    }
};

// Throws if an object has a key twice. The parser would keep only one of the values.
class UniqueKeys {
  public:
    explicit UniqueKeys(std::string_view file) : file_(file) {}

    bool operator()(int, Json::parse_event_t event, const Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys_.emplace_back();
        if (event == Json::parse_event_t::object_end) keys_.pop_back();
        if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
            fail(Status::bad_file, file_, ": the key ", shown(parsed.get<std::string>()), " comes twice in an object");
        return true;
    }

  private:
    std::string_view file_;
    std::vector<std::set<std::string>> keys_;
};

Json parsed(std::string_view text, std::string_view file) {
    try {
        UniqueKeys unique(file);
        return Json::parse(text.begin(), text.end(), std::ref(unique));
    } catch (const Json::exception& error) {
        fail(Status::bad_file, file, ": ", shown(error.what()));
    }
}

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
        if (!l.value.is_number_integer() || l.value < 0 || l.value > l_of(max_symmetries - 1))
            l.refuse(text("an angular momentum in 0..", l_of(max_symmetries - 1)));
        momenta.push_back(l.value.get<int>());
    }
    return momenta;
}

void require_spherical(const Place& shell, const std::vector<int>& momenta) {
    const Place type = shell.at("function_type");
    const bool is_low = *std::max_element(momenta.begin(), momenta.end()) < 2;
    if (type.value == "gto" || type.value == "gto_spherical" || (type.value == "gto_cartesian" && is_low)) return;
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
    const Json json = parsed(text, file);
    const Place elements = Place{json, std::string(file)}.at("elements");
    if (!elements.value.is_object()) elements.refuse("an object");
    Collector sets;
    for (const auto& [key, value] : elements.value.items()) {
        const Place element{value, legato::text(file, ": elements.", key)};
        sets.begin(element_of_key(key, file), element.where);
        if (value.is_object() && value.contains("ecp_potentials"))
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
