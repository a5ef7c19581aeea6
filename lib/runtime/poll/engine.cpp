// The engine without the function that moves agents to another version of their tree. See core/engine.h.
#include "poll/poll.h"

const espalier_engine* espalier_poll_engine(void) { return &espalier::kPollRow; }
