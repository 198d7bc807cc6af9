// The options of the algorithms, one list each: what reads, prints, checks and documents
// them.

#pragma once

#include "keyhole/algorithms.h"
#include "keyhole/gradient_algorithms.h"
#include "keyhole/options.h"

namespace keyhole {

void list_options(OptionVisitor& visit, ParameterFreeOptions& options);
void list_options(OptionVisitor& visit, PosteriorOptions& options);
void list_options(OptionVisitor& visit, FaceOptions& options);
void list_options(OptionVisitor& visit, LevelledOptions& options);
void list_options(OptionVisitor& visit, LinearThompsonOptions& options);
void list_options(OptionVisitor& visit, SpsaOptions& options);
void list_options(OptionVisitor& visit, CmaEsOptions& options);
void list_options(OptionVisitor& visit, ProjectionFreeOptions& options);
void list_options(OptionVisitor& visit, FkmOptions& options);
void list_options(OptionVisitor& visit, BbcgOptions& options);
void list_options(OptionVisitor& visit, TwoPointOptions& options);
void list_options(OptionVisitor& visit, GaugeOptions& options);
void list_options(OptionVisitor& visit, OnlineNewtonOptions& options);
void list_options(OptionVisitor& visit, OgdOptions& options);
void list_options(OptionVisitor& visit, OcgOptions& options);
void list_options(OptionVisitor& visit, StochasticOcgOptions& options);
void list_options(OptionVisitor& visit, OneShotOptions& options);

}  // namespace keyhole
