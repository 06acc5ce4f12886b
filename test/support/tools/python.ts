/** Python with the package of the proofs' verifier; where it is missing, the tests that need it are skipped by name. */
import { spawnSync } from 'node:child_process';

export const python = process.env.SUUQ_TEST_PYTHON ?? 'python3';

/** Of a process of Python: with the packages that `.ci/run` has put beside its own. */
export const pythonEnv = {
  ...process.env,
  PYTHONPATH: [process.env.SUUQ_TEST_PYTHONPATH, process.env.PYTHONPATH].filter(Boolean).join(':'),
};

/** Why it cannot be used here; undefined: it can. */
export function missingPython(): string | undefined {
  const { status, error } = spawnSync(python, ['-c', 'import cryptography.hazmat.primitives.asymmetric.ed25519']);
  if (error !== undefined) return `${python} is not installed`;
  return status === 0 ? undefined : `${python} has no package cryptography`;
}
