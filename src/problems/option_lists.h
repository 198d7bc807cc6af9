// The options of the problems, one list each: what reads, prints, checks and documents them.

#pragma once

#include "keyhole/options.h"
#include "keyhole/problems.h"

namespace keyhole {

void list_options(OptionVisitor& visit, QuadraticOptions& options);
void list_options(OptionVisitor& visit, PortfolioOptions& options);
void list_options(OptionVisitor& visit, CompletionOptions& options);
void list_options(OptionVisitor& visit, TrackingOptions& options);
void list_options(OptionVisitor& visit, SeparableOptions& options);
void list_options(OptionVisitor& visit, ContextualOptions& options);
void list_options(OptionVisitor& visit, RegressionOptions& options);
void list_options(OptionVisitor& visit, LinearOptions& options);
void list_options(OptionVisitor& visit, AlternatingOptions& options);
void list_options(OptionVisitor& visit, MaxAffineOptions& options);
void list_options(OptionVisitor& visit, CurvedOptions& options);
void list_options(OptionVisitor& visit, ThinOptions& options);
void list_options(OptionVisitor& visit, RoadGridOptions& options);
void list_options(OptionVisitor& visit, LognormalMarketOptions& options);
void list_options(OptionVisitor& visit, RoutingOptions& options);
void list_options(OptionVisitor& visit, LatencyOptions& options);
void list_options(OptionVisitor& visit, ObservedOptions& options);

}  // namespace keyhole
