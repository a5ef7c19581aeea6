BT_REGISTER_NODES(factory) { factory.registerNodeType<Knock>("Knock"); }
void run(BT::Tree& tree) { tree.tickExactlyOnce(); }
void test(BT::Tree& tree) { tree.tickWhileRunning(); }
