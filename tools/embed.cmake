# Text files in a program: perfidy_embed(<target> <file> <symbol>) compiles <file> into <target> as
#   namespace perfidy { extern const std::string_view <symbol>; }
#
# A line of the file that holds "@include NAME@" is replaced by the file NAME next to it, so that a
# page can be written as several files of reviewable size. The generated source is remade when any
# of them changes. Run as a script (cmake -P, with INPUT, OUTPUT, SYMBOL) it does the generating.

# Replaces the include lines of `text`; `names` receives the included files. One level is enough.
function(perfidy_expand_includes file text_out names_out)
  get_filename_component(folder ${file} DIRECTORY)
  file(READ ${file} text)
  string(REGEX MATCHALL "@include [a-z_.]+@" lines "${text}")
  set(names ${file})
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "@include (.*)@" "\\1" name ${line})
    file(READ ${folder}/${name} part)
    string(REPLACE "${line}" "${part}" text "${text}")
    list(APPEND names ${folder}/${name})
  endforeach()
  set(${text_out} "${text}" PARENT_SCOPE)
  set(${names_out} "${names}" PARENT_SCOPE)
endfunction()

function(perfidy_embed target file symbol)
  get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  perfidy_expand_includes(${file} text inputs)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${symbol}.cc)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol} -P ${script}
    DEPENDS ${inputs} ${script}
    COMMENT "Embedding ${symbol}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  perfidy_expand_includes(${INPUT} text inputs)
  # As escapes, 32 bytes a line: raw literals would need a delimiter that no text contains, and some
  # compilers limit the length of one literal but not of adjacent ones.
  string(HEX "${text}" hex)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  string(REPEAT "\\\\x.." 32 row)
  string(REGEX REPLACE "(${row})" "\\1\"\n    \"" bytes "${bytes}")
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  file(WRITE ${OUTPUT}
    "#include <string_view>\n\nnamespace perfidy {\n"
    "extern const std::string_view ${SYMBOL};\n"
    "constexpr char kBytes[] =\n    \"${bytes}\";\n"
    "const std::string_view ${SYMBOL}(kBytes, ${size});\n"
    "} // namespace perfidy\n")
endif()
