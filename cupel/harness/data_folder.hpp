// The folder for data that take long to make, kept from run to run and shared by all processes that use it.
#pragma once

namespace cupel::harness {

/// Makes data_folder(), and holds it in use until this process ends or cleans it.
void use_data_folder();

/// Removes data_folder() as soon as no other process uses it, for which it waits; not at all once asked_to_end().
void clean_data_folder();

}  // namespace cupel::harness
