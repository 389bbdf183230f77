#pragma once

#include "core/larger.hpp"
