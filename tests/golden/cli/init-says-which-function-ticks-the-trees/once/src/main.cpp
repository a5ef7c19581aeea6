BT_REGISTER_NODES(factory) { factory.registerNodeType<Knock>("Knock"); }
void run(BT::Tree& tree) { tree.tickOnce(); }
