/** Python with the package of the proofs' verifier. Where it is missing, the tests that need it are skipped by name. */
import { spawnSync } from 'node:child_process';

export const python = process.env.SUUQ_TEST_PYTHON ?? 'python3';

/** Environment of a Python process, with the packages that `.ci/run` has installed separately. */
export const pythonEnv = {
  ...process.env,
  PYTHONPATH: [process.env.SUUQ_TEST_PYTHONPATH, process.env.PYTHONPATH].filter(Boolean).join(':'),
};

/** Returns why Python cannot be used here; undefined if it can. */
export function missingPython(): string | undefined {
  const { status, error } = spawnSync(python, ['-c', 'import cryptography.hazmat.primitives.asymmetric.ed25519']);
  if (error !== undefined) return `${python} is not installed`;
  return status === 0 ? undefined : `${python} has no package cryptography`;
}
