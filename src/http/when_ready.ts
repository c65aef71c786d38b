/** Goes on with a value at once where it is there, and later where it is promised: waiting for nothing costs a turn. */
export function whenReady<Value, Result>(
  value: Value | Promise<Value>,
  then: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(then) : then(value);
}
