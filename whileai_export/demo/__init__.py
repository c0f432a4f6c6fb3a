"""Two small simulations made on the spot: what the demo exports. The same every time."""

from whileai_export.demo.parcels import parcel_desk
from whileai_export.demo.simulation import Profile, Simulation
from whileai_export.demo.workshop import workshop_desk

__all__ = ["Profile", "Simulation", "parcel_desk", "workshop_desk"]
