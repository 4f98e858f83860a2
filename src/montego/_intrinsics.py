"""What kernels need beyond numba's Python: calls by address, signals between threads, opaque handles, memory on loan.

Each has a plain counterpart for the mode without a compiler.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from montego._jit import COMPILED, numba_part


def _make_call() -> Any:
    numba, extending, ir = numba_part("numba"), numba_part("numba.extending"), numba_part("llvmlite.ir")

    @extending.intrinsic
    def call(typing_context: Any, address: Any, like: Any, args: Any) -> Any:
        """Call the kernel at an address with a tuple of arguments; it returns a value of the type of `like`."""
        unliteral = numba.core.types.unliteral
        result, argument_types = unliteral(like), numba.core.types.Tuple([unliteral(arg) for arg in args.types])

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            types = signature.args[2].types
            parts = [builder.extract_value(values[2], i) for i in range(len(types))]
            kind = context.call_conv.get_function_type(result, types)
            pointer = builder.inttoptr(values[0], ir.PointerType(kind))
            status, returned = context.call_conv.call_function(builder, pointer, result, types, parts)
            with numba.core.cgutils.if_unlikely(builder, status.is_error):  # an index out of bounds, if that is checked
                context.call_conv.return_status_propagate(builder, status)
            return returned

        return result(address, like, argument_types), generate

    return call


def _plain_call(function: Any, like: Any, args: Any) -> Any:
    return function(*args)


call = _make_call() if COMPILED else _plain_call
"""call(address, like, args) in a kernel: see `address_of`."""


def _make_signals() -> tuple[Any, Any, Any]:
    numba, extending = numba_part("numba"), numba_part("numba.extending")
    arrays, cgutils = numba_part("numba.np.arrayobj"), numba.core.cgutils

    def pointer(context: Any, builder: Any, signature: Any, values: Any) -> tuple[Any, int]:
        array = arrays.make_array(signature.args[0])(context, builder, values[0])
        where = cgutils.get_item_pointer(context, builder, signature.args[0], array, [values[1]], wraparound=False)
        return where, context.get_abi_sizeof(context.get_value_type(signature.args[0].dtype))

    @extending.intrinsic
    def publish(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
        """array[index] = value, for other threads to see together with everything written before."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            where, size = pointer(context, builder, signature, values)
            builder.store_atomic(values[2], where, "release", size)
            return context.get_dummy_value()

        return numba.core.types.none(array, numba.core.types.uintp, array.dtype), generate

    @extending.intrinsic
    def observe(typing_context: Any, array: Any, index: Any) -> Any:
        """array[index] as another thread published it, read anew every time."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            where, size = pointer(context, builder, signature, values)
            return builder.load_atomic(where, "acquire", size)

        return array.dtype(array, numba.core.types.uintp), generate

    @extending.intrinsic
    def add_safely(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
        """array[index] += value, of which nothing is lost when several threads do it at once."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            where, _ = pointer(context, builder, signature, values)
            operation = "fadd" if isinstance(signature.args[0].dtype, numba.core.types.Float) else "add"
            builder.atomic_rmw(operation, where, values[2], "monotonic")
            return context.get_dummy_value()

        return numba.core.types.none(array, numba.core.types.uintp, array.dtype), generate

    return publish, observe, add_safely


def _plain_publish(array: Any, index: Any, value: Any) -> None:
    array[index] = value


def _plain_observe(array: Any, index: Any) -> Any:
    return array[index]


def _plain_add(array: Any, index: Any, value: Any) -> None:
    array[index] += value


publish, observe, add_safely = _make_signals() if COMPILED else (_plain_publish, _plain_observe, _plain_add)
"""Between threads, through an array, in kernels."""


class Handle:
    """Opaque in users' functions: what is inside is for accessors alone."""

    def __init__(self, content: Any) -> None:
        self._content = content


def _make_handle() -> tuple[Any, Any]:
    numba, extending = numba_part("numba"), numba_part("numba.extending")

    class HandleType(numba.core.types.Type):
        def __init__(self, content: Any) -> None:
            self.content = content
            super().__init__(name=f"Handle_{hashlib.sha256(str(content).encode()).hexdigest()[:16]}")

    @extending.register_model(HandleType)
    class Model(extending.models.StructModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, [("content", kind.content)])

    @extending.intrinsic
    def wrap(typing_context: Any, content: Any) -> Any:
        """A handle of a tuple."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            made = numba.core.cgutils.create_struct_proxy(signature.return_type)(context, builder)
            made.content = values[0]
            return made._getvalue()

        return HandleType(content)(content), generate

    @extending.intrinsic
    def unwrap(typing_context: Any, handle: Any) -> Any:
        """The tuple inside a handle."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            proxy = numba.core.cgutils.create_struct_proxy(signature.args[0])
            return proxy(context, builder, value=values[0]).content

        return handle.content(handle), generate

    return wrap, unwrap


def _plain_unwrap(handle: Handle) -> Any:
    return handle._content


wrap, unwrap = _make_handle() if COMPILED else (Handle, _plain_unwrap)
"""A tuple as an opaque handle, and back."""


def _make_borrower(dtype_of_size: Callable[[int], np.dtype[Any]]) -> Any:
    numba, extending = numba_part("numba"), numba_part("numba.extending")
    from_dtype = numba_part("numba.np.numpy_support").from_dtype

    @extending.intrinsic
    def borrow(typing_context: Any, board: Any, address: Any) -> Any:
        """The record at an address."""
        record = from_dtype(dtype_of_size(board.typeof("rows").shape[0]))

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[1], context.get_value_type(record))  # a record is a pointer

        return record(board, numba.core.types.uint64), generate

    return borrow


def _plain_borrower(dtype_of_size: Callable[[int], np.dtype[Any]]) -> Any:
    def borrow(board: Any, address: Any) -> Any:
        dtype = dtype_of_size(len(board.rows))
        lent: Any = (ctypes.c_char * dtype.itemsize).from_address(int(address))
        return np.frombuffer(lent, dtype)[0]

    return borrow


def borrower(dtype_of_size: Callable[[int], np.dtype[Any]]) -> Any:
    """For kernels: a function (board, address) that gives the record at an address, of the type for the board's size.

    Who needs a record that others do not have gets it without a further argument for everybody. Whoever lends it out
    keeps it alive, and gives it to one thread.
    """
    return _make_borrower(dtype_of_size) if COMPILED else _plain_borrower(dtype_of_size)
