import { describe, expect, it } from 'vitest';
import { scrollScale, TALLEST_PX } from './scroll-scale.js';

const ROW_PX = 44;
const VIEW_PX = 800;
const MILLION = 1_000_000;

describe('scrollScale', () => {
  it('follows the bar pixel by pixel while the list fits an element', () => {
    const scale = scrollScale(1000, ROW_PX, VIEW_PX);
    expect(scale.isCompressed).toBe(false);
    expect(scale.barPx).toBe(44_000);
    expect(scale.moved({ barPx: 0, listPx: 0 }, 20_000)).toEqual({ barPx: 20_000, listPx: 20_000 });
  });

  it('limits the height of the bar and reaches the last row at its end', () => {
    const scale = scrollScale(MILLION, ROW_PX, VIEW_PX);
    expect(scale.barPx).toBe(TALLEST_PX);
    expect(scale.toList(TALLEST_PX - VIEW_PX)).toBe(MILLION * ROW_PX - VIEW_PX);
  });

  it('moves a compressed list by as many pixels as a small move of the bar', () => {
    const { listPx } = scrollScale(MILLION, ROW_PX, VIEW_PX).moved({ barPx: 2_000_000, listPx: 22_000_000 }, 2_000_100);
    expect(listPx).toBe(22_000_100);
  });

  it('moves a compressed list in proportion when the bar is dragged', () => {
    const scale = scrollScale(MILLION, ROW_PX, VIEW_PX);
    expect(scale.moved({ barPx: 0, listPx: 0 }, 2_000_000).listPx).toBeCloseTo(scale.toList(2_000_000));
  });

  it('shows the first row when the bar is at its beginning, whatever small moves have left', () =>
    expect(scrollScale(MILLION, ROW_PX, VIEW_PX).moved({ barPx: 10, listPx: 5000 }, 0).listPx).toBe(0));

  it('maps to the bar and back', () => {
    const scale = scrollScale(MILLION, ROW_PX, VIEW_PX);
    expect(scale.toList(scale.toBar(12_345_678))).toBeCloseTo(12_345_678);
  });

  it('stays at the beginning when everything fits the view', () => {
    const scale = scrollScale(3, ROW_PX, VIEW_PX);
    expect([scale.toList(10), scale.toBar(10), scale.clamp(10)]).toEqual([0, 0, 0]);
  });
});
