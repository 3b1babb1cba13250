const pairs = (means: readonly number[], deviations: readonly number[]): [number, number][] =>
  means.map((mean, n) => [mean, deviations[n] ?? 1]);

/** Usual value and spread of each feature, taken from real music of several kinds; part of the model, so never changed without another name for it. */
const usual: readonly (readonly [mean: number, deviation: number])[] = [
  ...pairs(
    [79.2, 39.6, 18.8, 8.32, 6.9, 1.48, 4.49, 0.226, 2.18, -1.09, 1.39, 0.391, 1.94, 1.4, 2.61, 0.961, 1.42, 0.569, 1.39],
    [17.1, 13.4, 10.2, 8, 7.19, 8.28, 9.45, 8.88, 6, 4.44, 3.39, 3.65, 3.87, 4.04, 4, 2.84, 3.12, 3.12, 3.65],
  ),
  ...pairs(
    [46.3, 22.3, 17.4, 13.8, 11.5, 10.3, 10.1, 9.82, 9.15, 9.13, 8.77, 8.25, 7.9],
    [18.2, 6.9, 5.05, 4.79, 3.3, 2.96, 2.47, 2.45, 2.48, 2.79, 3, 2.8, 2.37],
  ),
  ...pairs([19.1, 14.2, 11.8, 9.63, 8.96, 8.77], [7.07, 5.27, 6.42, 4.09, 3.67, 3.07]),
  ...pairs([0.0811, 0.0888, 0.0762, 0.0472, 0.0825, 0.0306], [0.0702, 0.0636, 0.0559, 0.0286, 0.0601, 0.029]),
  ...pairs(
    [125, 53.6, -2.32, 0.66, 7910, 179, 48.2, 4.36, 4.53, 14.6, 0.0859],
    [56.6, 23.2, 1.04, 0.278, 2180, 62.5, 15.7, 0.557, 2.6, 8.36, 0.0803],
  ),
  ...pairs([0.392, 0.373, 0.358, 0.17, 0.175, 0.272, 0.209, 0.541, 0.461], [0.156, 0.161, 0.155, 0.135, 0.156, 0.22, 0.0966, 0.222, 0.151]),
];

/** Numbers of a vector. */
export const DIMENSIONS = usual.length;

/** So many deviations from the usual nothing gets much stranger. */
const STRANGE = 3;

/** Features as a vector whose numbers weigh the same, from about -3 to 3. */
export const soundVector = (features: readonly number[]): Float32Array =>
  Float32Array.from(usual, ([mean, deviation], n) => STRANGE * Math.tanh(((features[n] ?? mean) - mean) / deviation / STRANGE));
