package needs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/setting"
)

func TestTheLightGrowsAndFadesGradually(t *testing.T) {
	sun := Sun{Dawn: 6 * time.Hour, Morning: 8 * time.Hour, Evening: 18 * time.Hour,
		Nightfall: 22 * time.Hour}.daylight()
	for at, day := range map[float32]float32{
		0: 0, 5.99: 0, 6: 0, 7: 0.5, 7.5: 0.75, 8: 1, 12: 1, 18: 1, 19: 0.75, 21: 0.25, 22: 0, 23.9: 0,
	} {
		assert.InDelta(t, day, sun.at(setting.Seconds(at*3600), 0), 1e-5, "at %v", at)
		assert.InDelta(t, day, sun.at(setting.Seconds(at*3600)+16*hour, 8*hour), 1e-5, "a day on, from 8 o'clock")
	}
}

func TestTheDefaultSunRisesFrom5To8AndSetsFrom19To2330(t *testing.T) {
	sun := DefaultSun().daylight()
	for at, day := range map[float32]float32{
		4.9: 0, 5: 0, 6.5: 0.5, 8: 1, 19: 1, 21.25: 0.5, 23.05: 0.1, 23.5: 0,
	} {
		assert.InDelta(t, day, sun.at(setting.Seconds(at*3600), 0), 1e-5, "at %v", at)
	}
}
