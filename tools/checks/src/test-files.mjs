/** Packages that are for tests as a whole. */
const TEST_PACKAGES = ['tools/e2e', 'tools/read-model'];

/** Tools that users and operators run; the others are for developers. */
const PRODUCT_TOOLS = ['tools/standalone', 'tools/continuo'];

const isIn = (path, folders) => folders.some((folder) => path.startsWith(`${folder}/`));

/** Specs and what only they use: `test/` beside `src/`, or a package that is for tests. */
export const isTestFile = (path) => /\.spec\.tsx?$|^(?:contracts|\w+\/[\w-]+)\/test\//.test(path) || isIn(path, TEST_PACKAGES);

export const isProduct = (folder) => !folder.startsWith('tools/') || PRODUCT_TOOLS.includes(folder);
