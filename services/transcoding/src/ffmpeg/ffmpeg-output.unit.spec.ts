import { describe, expect, it } from 'vitest';
import { parseAudioEncoders, parseVersion } from './ffmpeg-output.js';

describe('parseVersion', () => {
  it.each([
    ['ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000', { version: '5.1.9-0+deb12u1', major: 5 }],
    ['ffmpeg version n6.0 Copyright (c)', { version: 'n6.0', major: 6 }],
    ['ffmpeg version 10.2 Copyright (c)', { version: '10.2', major: 10 }],
    ['ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright (c)', { version: '4.4.2-0ubuntu0.22.04.1', major: 4 }],
  ])('reads the release of %s', (output, expected) => expect(parseVersion(output)).toEqual(expected));

  it('takes the age of builds between releases from libavutil', () => {
    const output = 'ffmpeg version N-113007-g8d24a28d06 Copyright (c)\nbuilt with gcc\nlibavutil      58. 36.100 / 58. 36.100\n';
    expect(parseVersion(output)).toEqual({ version: 'N-113007-g8d24a28d06', major: 6 });
    expect(parseVersion('ffmpeg version git-2020-01-01-abc Copyright\nlibavutil 56. 1.100\n')?.major).toBe(4);
    expect(parseVersion('ffmpeg version unknown')).toEqual({ version: 'unknown', major: undefined });
  });

  it('does not take another program for ffmpeg', () => expect(parseVersion('avconv version 12')).toBeUndefined());
});

describe('parseAudioEncoders', () => {
  it('lists the audio encoders and neither the legend nor other kinds', () => {
    const output = [
      'Encoders:',
      ' V..... = Video',
      ' A..... = Audio',
      ' .....D = Supports direct rendering method 1',
      ' ------',
      ' V....D png                  PNG image',
      ' A..X.. opus                 Opus',
      ' A....D flac                 FLAC',
      ' A..... adpcm_g722           G.722',
      ' S..... srt                  SubRip subtitle',
    ].join('\n');
    expect(parseAudioEncoders(output)).toEqual(['adpcm_g722', 'flac', 'opus']);
  });
});
