"""What can go wrong with another engine, as types."""

from __future__ import annotations

from montego.go.errors import MontegoError


class RequestError(MontegoError):
    """A command that cannot be sent, or a time limit that is none; nothing has changed."""


class EngineError(MontegoError):
    """Another engine did not do its part. But for a refusal, it has been ended."""


class StartError(EngineError):
    """The program could not be started."""


class EngineTimeout(EngineError):
    """It did not answer in time."""


class EngineDied(EngineError):
    """It ended, or closed its pipes, and will not answer; or it was ended before."""


class ProtocolError(EngineError):
    """It wrote something that is no answer to what it was asked."""


class Refused(EngineError):
    """It answered that it cannot do as asked, and goes on. `message` is what it said."""

    def __init__(self, text: str, message: str = "") -> None:
        super().__init__(text)
        self.message = message
