// What goes to the terminal: restrained colour where there is one, plain text where there is none.
#pragma once

#include <string>
#include <string_view>

namespace workbook::cli {

enum class Colour { plain, bold, dim, good, bad, warn, accent };

/// Colour where the stream (1: stdout, 2: stderr) is a terminal, NO_COLOR unset or empty, TERM not "dumb".
void set_up_colour(int stream = 1);
void set_colour(bool on);

std::string paint(Colour colour, std::string_view text);

bool stdin_is_terminal();
bool stdout_is_terminal();
int terminal_rows();  ///< of stdout's terminal; 24 where that is not known

/// Asks on the terminal; false without one and for any answer but y or yes.
bool confirmed(const std::string& question);

void print(std::string_view text);        ///< to stdout, as it is: JSON, source code
void show(std::string_view text);         ///< to stdout, fitted to 80 columns: what people read
void print_error(std::string_view text);  ///< to stderr
/// A line that is written over, where both streams are a terminal; empty: it goes.
void say_progress(const std::string& what);

}  // namespace workbook::cli
