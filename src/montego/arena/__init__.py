"""Games between two players, and what they tell about their strength."""
