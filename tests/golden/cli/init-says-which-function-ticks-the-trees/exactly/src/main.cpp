BT_REGISTER_NODES(factory) { factory.registerNodeType<Knock>("Knock"); }
// tree->tickOnce() is not called.
void tickOnce();
void run(BT::Tree* tree) { tree->tickExactlyOnce(); }
