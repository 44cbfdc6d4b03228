"""How far a rumour gets, and what is left of it."""

from __future__ import annotations

from fractions import Fraction


def never_hear(n_people: int) -> float:
    """The share that a rumour never reaches, in the model of Maki and Thompson.

    One knows it at first. Whoever still tells it meets somebody else, any with the
    same chance. Who had not heard it becomes a teller; else the *teller* stops. It
    ends when nobody tells. Followed exactly over (not reached, tellers).

    References
    ----------
    .. [1] D. Maki and M. Thompson, Mathematical Models and Applications (1973).
    .. [2] A. Sudbury, "The proportion of the population never hearing a rumour",
       Journal of Applied Probability 22 (1985) 443-446: 0.203188 for many people.

    Examples
    --------
    >>> round(never_hear(120), 6), round(never_hear(1000), 6)
    (0.20258, 0.203103)
    """
    n = n_people
    # By tellers, for so many not reached: the chance that this state is ever passed.
    passed = [0.0] * (n + 2)
    passed[1] = 1.0
    mean_left = 0.0
    for left in range(n - 1, -1, -1):
        reaches = left / (n - 1)
        # Each failure takes a teller away, so go from many to few.
        below = [0.0] * (n + 2)
        for tellers in range(n - left, 0, -1):
            chance = passed[tellers]
            if chance:
                below[tellers + 1] += chance * reaches
                passed[tellers - 1] += chance * (1.0 - reaches)
        mean_left += passed[0] * left
        passed = below
    return mean_left / n


def still_true(wrong_prob: Fraction, n_tellings: int) -> Fraction:
    """Chance that a yes or no is told rightly after so many tellings that may each flip it.

    Examples
    --------
    >>> str(still_true(Fraction(1, 10), 5)), float(still_true(Fraction(1, 10), 5))
    ('4149/6250', 0.66384)
    """
    right = Fraction(1)
    for _ in range(n_tellings):
        right = right * (1 - wrong_prob) + (1 - right) * wrong_prob
    return right


def convinced(own: float, told: float, weight: float, n_tellings: int) -> float:
    """Where a belief stands after so many tellings, each moving it a share of the way.

    Examples
    --------
    >>> round(convinced(1.0, 0.0, 0.3, 5), 5)
    0.16807
    """
    for _ in range(n_tellings):
        own = (1.0 - weight) * own + weight * told
    return own
