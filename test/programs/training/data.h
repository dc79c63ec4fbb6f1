// Data of the training programs: tables that Debian's python3-sklearn ships, and generated ones.
#pragma once

#include "test/programs/training/layers.h"

#include <string>

namespace perfidy {

/// Columns are samples. Classes are one-hot; regression targets are standardised, as are the inputs
/// of tables. The first part is trained on, the second one validates.
struct Data {
  Shape shape;
  bool classes = true;
  Real inputs, targets, validationInputs, validationTargets;
};

// From files of python3-sklearn (BSD-3-Clause); Error when the package is missing.
Data digits(Shape shape = {64, 1, 1, 1});
Data cancer();
Data wine();
Data iris();
Data diabetes();

// Generated.
Data spiral();
Data moons();
Data checkerboard();
Data parity();   ///< of six bits
Data formants(); ///< eleven classes around curves in ten dimensions, as spoken vowels are
Data echoes();   ///< two classes of sixty-band spectra
Data mixture();  ///< ten Gaussians in eight dimensions
Data sine();     ///< sine and a slope, one dimension
Data friedman1();
Data friedman3();
Data bars();                 ///< 8 x 8 images of a horizontal or vertical bar, noise
Data glyphs();               ///< noisy 8 x 8 images of six shapes
Data waveforms(Shape shape); ///< three classes of 24-point curves
Data patches(Shape shape);   ///< 8 x 8 gratings; target: orientation and phase
Data adding();               ///< two channels, ten steps: sum of the two marked numbers
Data frequencies();          ///< noisy sine of one of three frequencies, sixteen steps
Data mackeyGlass();          ///< next value of a chaotic series from eight before
Data delayedCopy();          ///< symbol shown at step one, asked for at step eight
Data nextSymbol();           ///< next of four symbols of a second-order Markov chain

/// Targets become the inputs (clean), inputs get Gaussian noise of this size.
Data reconstructing(Data data, double noise = 0);

} // namespace perfidy
