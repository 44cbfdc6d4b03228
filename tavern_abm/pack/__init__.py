"""The game master's pack: rumours, people and situations of one evening, out of a run's record.

From the record up: `evening` (who is where tonight, and in what state), `knowledge`
(who could tell what, and from whom he has it), `wordings` and `speaking` (in what
words, and what these claim), `judging` (whether that is so), `choosing` (which of
them make a set), `cards` (people), `hooks` (situations) and `assembly`, which makes
of it all the documents of `documents`: one kind for the game master, another for
the players, who get nothing else.
"""
