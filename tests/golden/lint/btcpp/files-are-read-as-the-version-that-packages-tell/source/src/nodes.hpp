#include <behaviortree_cpp_v3/action_node.h>
