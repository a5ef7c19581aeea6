"""espalier for ROS 2: see espalier_vendor.launch."""
